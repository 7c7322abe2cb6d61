import { expect, test } from 'vitest';
import type { Reader } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { derivedObservationsCount } from './derive-missing.ts';
import { companyId, createEntitiesFixture } from './entities/entities.fixture.ts';
import { allEntities } from './observations/table-rows.fixture.ts';
import { createRefresh, createRefreshJob } from './refresh-due.ts';
import { createGraphFixture } from './relationships/graph.fixture.ts';
import { describeTruth } from './truth.fixture.ts';
import { truthLimits } from './truth-limits.ts';

const never = new AbortController().signal;

describeTruth('[TR17] refreshing what is due', (engine) => {
  function open() {
    const tenant = engine.newTenant();
    const one = createEntitiesFixture(engine, undefined, tenant);
    const run = () => createRefreshJob(createRefresh(one), async () => [tenant]).run(never);
    const rowsOf = () => one.read((db) => allEntities(db));
    return { ...one, tenant, run, rowsOf };
  }

  test('stores the state when a statement begins and when it ends', async () => {
    const { say, run, rowsOf } = open();
    const now = engine.clock.now();
    await say({ company: 'Acme', stated: { address: 'old' }, source: { id: 'a' } });
    const period = { effectiveAt: now + 1_000, effectiveUntil: now + 3_000 };
    await say({ company: 'Acme', stated: { address: 'new' }, source: { id: 'b', period } });
    const stored = async () => {
      const [row] = await rowsOf();
      return [row!.next_change_at, row!.state.includes('"new"')];
    };
    await run();
    expect(await stored()).toEqual([now + 1_000, false]);
    engine.clock.advance(1_000);
    expect(await stored()).toEqual([now + 1_000, false]);
    await run();
    expect(await stored()).toEqual([now + 3_000, true]);
    engine.clock.advance(2_000);
    await run();
    expect(await stored()).toEqual([null, false]);
  });

  test('stores every state that is due since a migration, and skips a damaged entity', async () => {
    const { say, run, read, rowsOf } = open();
    const count = truthLimits.rebuildEntitiesCount + 5;
    for (let i = 0; i < count; i += 1) {
      await say({ company: `Company ${i}`, stated: { address: 'here' }, source: { id: `s${i}` } });
    }
    const damaged = companyId('Company 3');
    const rename = (name: string) =>
      read((db) =>
        db.run(sql`
          update truth_entities set canonical_name = ${name} where tenant = ${db.tenant} and entity_id = ${damaged}`),
      );
    await read((db) => db.run(sql`update truth_entities set next_change_at = 0 where tenant = ${db.tenant}`));
    await rename('other');
    await run();
    const due = (await rowsOf()).filter(({ next_change_at }) => next_change_at !== null);
    expect(due.map(({ entity_id }) => entity_id)).toEqual([damaged]);
    await rename('company 3');
    await run();
    expect((await rowsOf()).filter(({ next_change_at }) => next_change_at !== null)).toEqual([]);
  });

  test('finds similar names and contradictions of entities that an older version stored', async () => {
    const { say, run, read, ask } = open();
    const observedAt = engine.clock.now() - 1_000;
    const count = derivedObservationsCount + 5;
    for (let i = 0; i < count; i += 1) {
      const stated = { phone: i < count - 1 ? '1' : '2', ...(i === 0 && { aliases: ['Acmé Industrie'] }) };
      await say({
        company: 'Müller',
        stated,
        source: { id: `s${i}`, origin: i === count - 1 ? 'b' : 'a', observedAt },
      });
    }
    const contradictions = async () =>
      (
        await read((db: Reader) =>
          db.all(sql<{ readonly field: string; readonly entity_id: string }>`
            select field, entity_id from truth_contradictions where tenant = ${db.tenant}`),
        )
      ).map(({ field, entity_id }) => [field, entity_id]);
    const marks = async (identifier: string) =>
      ((await ask('get_entity_by_identifier', { identifier }))['entities'] as { match?: string }[]).map(
        ({ match }) => match,
      );
    const found = [['phone', companyId('Müller')]];
    expect([await contradictions(), await marks('Mueller'), await marks('Acme Industrie')]).toEqual([
      found,
      ['folded'],
      ['folded'],
    ]);
    await read(function* (db) {
      yield* db.run(sql`delete from truth_contradictions where tenant = ${db.tenant}`);
      yield* db.run(sql`delete from truth_identifiers where tenant = ${db.tenant}`);
    });
    await run();
    expect([await contradictions(), await marks('Mueller'), await marks('Acme Industrie')]).toEqual([[], [], []]);
    await read((db) => db.run(sql`update truth_entities set next_change_at = 0 where tenant = ${db.tenant}`));
    await run();
    await run();
    expect([await contradictions(), await marks('Mueller'), await marks('Acme Industrie')]).toEqual([
      found,
      ['folded'],
      ['folded'],
    ]);
  });

  test('counts an entity as changed only if its state differs', async () => {
    const { say, run, read } = open();
    const countChanges = async () =>
      (await read((db) =>
        db.get(sql<{ readonly count: number }>`select count(*) as count from changes where tenant = ${db.tenant}`),
      ))!.count;
    const now = engine.clock.now();
    await say({
      company: 'Acme',
      stated: { address: 'old' },
      source: { id: 'a', period: { effectiveAt: now, effectiveUntil: null } },
    });
    const older = { effectiveAt: now - 9_000, effectiveUntil: now + 1_000 };
    await say({ company: 'Acme', stated: { address: 'older' }, source: { id: 'b', period: older } });
    const newer = { effectiveAt: now + 5_000, effectiveUntil: null };
    await say({ company: 'Acme', stated: { address: 'newer' }, source: { id: 'c', period: newer } });
    const before = await countChanges();
    engine.clock.advance(1_000);
    await run();
    expect(await countChanges()).toBe(before);
    engine.clock.advance(4_000);
    await run();
    expect(await countChanges()).toBe(before + 1);
  });

  test('updates relationships that have ended', async () => {
    const tenant = engine.newTenant();
    const graph = createGraphFixture(engine, tenant);
    const [ann, acme] = await graph.stateAll(['ann', 'acme']);
    const now = engine.clock.now();
    await graph.ask('create_relationship', {
      ...{ relationship_type: 'REFERS_TO', source_entity_id: ann, target_entity_id: acme },
      effective_until: new Date(now + 1_000).toISOString(),
    });
    const phases = () =>
      graph.read((db: Reader) =>
        db.all(sql<{ readonly phase: string; readonly next_change_at: number | null }>`
          select phase, next_change_at from truth_relationships where tenant = ${db.tenant}`),
      );
    const [before] = await phases();
    expect(before!.next_change_at).toBe(now + 1_000);
    engine.clock.advance(1_000);
    await createRefreshJob(createRefresh(graph), async () => [tenant]).run(never);
    const [after] = await phases();
    expect(after!.next_change_at).toBeNull();
    expect(after!.phase).not.toBe(before!.phase);
  });
});
