import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Reader, Step, Storage, Work, Writer } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { createPayloads } from '../payloads/payloads.ts';
import { parseState, toStateView } from '../reducer/entity-state.ts';
import { createTruthFixture, describeTruth, invoice, payloadOf, type TruthEngine } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { entityIdOf } from './entity-name.ts';
import type { ObservationDraft, ObservationSource } from './observation.ts';
import {
  allEntities,
  allEvents,
  allIdentifiers,
  allObservations,
  allSharedKeys,
  allTotals,
  wrongEntities,
} from './table-rows.fixture.ts';
import { writeObservations } from './write-observations.ts';

const acme = entityIdOf('company', 'acme');
const at = (day: number) => `2025-01-${String(day).padStart(2, '0')}T00:00:00Z`;

const mergeRows = (db: Writer, sourceId: string, targetId: string, rootId: string) =>
  db.run(sql`
    update truth_entities set merged_into = ${targetId}, root_id = ${rootId}
    where tenant = ${db.tenant} and entity_id = ${sourceId}`);

function open(engine: TruthEngine) {
  const truth = createTruthFixture(engine.base(), {});
  const one = truth.as(engine.newTenant());
  const entityOf = async (entityId: string) => {
    const rows = await one.read((db) => allEntities(db));
    return rows.find(({ entity_id }) => entity_id === entityId)!;
  };
  return {
    ...truth,
    ...one,
    entityOf,
    snapshotOf: async (entityId: string) => {
      const row = await entityOf(entityId);
      const schema = await one.read((db) => truth.schemas.active(db, row.entity_type));
      return toStateView(parseState(row.state), schema).snapshot;
    },
    /** Checks every row against its observations. */
    async check() {
      expect(await one.read((db) => wrongEntities(db, truth.schemas))).toEqual([]);
    },
  };
}

/** Number of statements of a transaction. */
function* counted<T>(work: Work<T>, count: (step: Step<unknown>) => void): Work<T> {
  let turn = work.next();
  while (!turn.done) {
    count(turn.value);
    turn = work.next(yield turn.value);
  }
  return turn.value;
}

const anyInvoice = fc.record(
  {
    invoice_number: fc.constantFrom('1', '2', '3'),
    vendor_name: fc.constantFrom('Acme', 'ACME Inc.', 'Zed'),
    customer_name: fc.constantFrom('Acme Ltd', 'Bob'),
    vendor_address: fc.constantFrom('Here', 'There', 5, null),
    customer_tags: fc.subarray(['a', 'b', 'c']),
    tags: fc.subarray(['x', 'y', 'z']),
    amount: fc.constantFrom(1, 2, '3.50', 'much'),
    date: fc.constantFrom('2025-01-01', '2025-02-31'),
    memo: fc.string(),
  },
  { requiredKeys: [] },
);

describeTruth('observations', (engine) => {
  test('[TR16] rows written one by one equal a reduction of all observations', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(anyInvoice, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 12 }),
        async (answer) => {
          const { submit, check } = open(engine);
          for (const [body, day] of answer) {
            engine.clock.advance(1);
            await submit(payloadOf('invoice', body, { extracted_at: at(day), extractor_version: `v${day}` }));
          }
          await check();
        },
      ),
      { numRuns: 12 },
    );
  });

  test('counts an observation in every row above its entity, up to the root', async () => {
    const { submit, read, check, entityOf } = open(engine);
    const names = ['Acme', 'Acme Two', 'Acme Three'];
    const [first, second, third] = names.map((name) => entityIdOf('company', name.toLowerCase())) as [
      string,
      string,
      string,
    ];
    for (const name of names) await submit(invoice({ vendor_name: name, customer_name: 'Bob' }));
    await read(function* (db) {
      yield* mergeRows(db, first, second, third);
      yield* mergeRows(db, second, third, third);
      yield* db.changed('test', 'merge', 'update', '');
      // Every group is reduced with the next write.
      yield* db.run(sql`update truth_entities set schema_version = 'none' where tenant = ${db.tenant}`);
      yield* db.run(sql`
        update truth_entities set observation_count = observation_count + 1
        where tenant = ${db.tenant} and entity_id = ${second}`);
      yield* db.run(sql`
        update truth_entities set observation_count = observation_count + 2
        where tenant = ${db.tenant} and entity_id = ${third}`);
    });
    const all = { vendor_tags: ['late'], customer_name: 'Acme Three', amount: 7 };
    await submit(invoice({ vendor_name: 'Acme', ...all, invoice_number: 'a' }));
    await submit(invoice({ vendor_name: 'Acme', ...all, invoice_number: 'b' }));
    const bob = entityIdOf('company', 'bob');
    await submit(invoice({ vendor_name: 'Bob', customer_name: 'Acme Two', invoice_number: 'c' }));
    expect((await entityOf(bob)).observation_count).toBe(4);
    expect((await entityOf(first)).observation_count).toBe(3);
    expect((await entityOf(second)).observation_count).toBe(5);
    expect((await entityOf(third)).observation_count).toBe(8);
    await read(function* (db) {
      // Entities without a later write still have the old version.
      yield* db.run(sql`delete from truth_entities where tenant = ${db.tenant} and schema_version = 'none'`);
      yield* db.changed('test', 'merge', 'delete', '');
    });
    await check();
  });

  test('[TR17] reduces an entity again under another schema version and uses its raw fragments', async () => {
    const { submit, ask, snapshotOf, entityOf, check } = open(engine);
    const first = await submit(invoice({ color: 'red' }, { extracted_at: at(2) }));
    const own = first.entities[0]!.entity_id;
    const shown = await snapshotOf(own);
    expect(shown).not.toHaveProperty('color');
    const listed = (await ask('list_entity_schemas', { entity_type: 'invoice' })) as {
      schemas: readonly { fields: object }[];
    };
    const fields = { ...listed.schemas[0]!.fields, color: { type: 'string' } };
    const ref = { entity_type: 'invoice', version: '2.1' };
    expect(await ask('register_entity_schema', { ...ref, fields })).toMatchObject({ created: true });
    await ask('activate_entity_schema', ref);
    await submit(invoice({ status: 'open' }, { extracted_at: at(1) }));
    expect(await entityOf(own)).toMatchObject({ schema_version: '2.1', observation_count: 2 });
    expect(await snapshotOf(own)).toEqual({ ...shown, status: 'open', color: 'red' });
    await submit(invoice({ color: 'blue' }, { extracted_at: at(3) }));
    expect(await snapshotOf(own)).toEqual({ ...shown, status: 'open', color: 'blue' });
    // Including the vendor and the customer of all three.
    await check();
  });

  test('writes two observations for the same company in two roles', async () => {
    const { submit, entityOf, check } = open(engine);
    const { entities } = await submit(invoice({ vendor_name: 'Acme Inc', customer_name: 'ACME', vendor_phone: '1' }));
    expect(entities.map(({ entity_id, role }) => [entity_id, role]).slice(1)).toEqual([
      [acme, 'vendor_name'],
      [acme, 'customer_name'],
    ]);
    expect(await entityOf(acme)).toMatchObject({
      observation_count: 2,
      canonical_name: 'acme',
      merged_into: '',
      root_id: acme,
    });
    await check();
  });

  test('stores times, priority, specificity, source, role and raw fragments', async () => {
    const { submit, read, clock } = open(engine);
    const { payload_id, submission_id, entities } = await submit(
      invoice({ memo: 'x', amount: 'much', due_date: null }),
    );
    const rows = await read((db) => allRows(db));
    const own = rows.find(({ role }) => role === 'self')!;
    expect({ ...own, fields: JSON.parse(own.fields), raw_fragments: JSON.parse(own.raw_fragments) }).toMatchObject({
      observation_id: entities[0]!.observation_id,
      entity_id: entities[0]!.entity_id,
      entity_type: 'invoice',
      schema_version: '2.0',
      source_kind: 'payload',
      source_id: payload_id,
      submission_id,
      ...{ effective_at: Date.parse('2025-01-15T10:30:00Z'), effective_until: null, retracted_at: null, details: '{}' },
      observed_at: Date.parse('2025-01-15T10:30:00Z'),
      created_at: clock.now(),
      priority: 100,
      specificity: 0.2857,
      fields: {
        invoice_number: 'INV-001',
        vendor_name: 'Acme Corp',
        customer_name: 'Test Customer',
        date: '2025-01-15',
      },
      raw_fragments: { amount: 'much', memo: 'x' },
    });
    expect(rows).toHaveLength(3);
  });

  test('[TR19] creates events from date fields and keeps totals', async () => {
    const { submit, read } = open(engine);
    const first = await submit(invoice({ due_date: '2025-02-01T12:00:00+02:00' }));
    await submit(invoice({ due_date: 'soon', invoice_number: 'INV-002' }));
    const events = await read((db) => allEvents(db));
    expect(events.map(({ event_type, value }) => [event_type, value])).toEqual([
      ['invoice_date', '2025-01-15'],
      ['invoice_date', '2025-01-15'],
      ['invoice_due_date', '2025-02-01T12:00:00+02:00'],
    ]);
    expect(events[2]).toMatchObject({
      event_at: Date.UTC(2025, 1, 1, 10),
      source_id: first.payload_id,
      observation_id: first.entities[0]!.observation_id,
      entity_id: first.entities[0]!.entity_id,
    });
    const totals = await read((db) => allTotals(db));
    expect(totals).toEqual([
      { kind: 'entities', key: 'company', count: 2 },
      { kind: 'entities', key: 'invoice', count: 2 },
      { kind: 'events', key: 'invoice_date', count: 2 },
      { kind: 'events', key: 'invoice_due_date', count: 1 },
      { kind: 'observations', key: '', count: 6 },
      { kind: 'payloads', key: '', count: 2 },
    ]);
  });

  test('finds an entity by name and identifiers, and lists shared match keys', async () => {
    const { submit, read } = open(engine);
    const answer = { vendor_tax_id: 'DE 12345', customer_name: 'Bob' };
    await submit(invoice({ vendor_name: 'Acme Holding', ...answer }));
    await submit(invoice({ vendor_name: 'Acme Holding', ...answer, invoice_number: 'INV-002' }));
    await submit(invoice({ vendor_name: 'Holding, Acme', vendor_tax_id: 'de-12345', customer_name: 'Bob' }));
    const { identifiers, matches } = await read(function* (db) {
      return { identifiers: yield* allIdentifiers(db), matches: yield* allSharedKeys(db) };
    });
    const vendor = entityIdOf('company', 'acme holding');
    // Keys of similar names begin with a control character.
    const plain = identifiers.filter(({ identifier }) => /^\w/.test(identifier));
    expect(plain.filter(({ entity_id }) => entity_id === vendor)).toEqual([
      { identifier: 'acme holding', entity_id: vendor, field: 'name' },
      { identifier: 'de 12345', entity_id: vendor, field: 'tax_id' },
    ]);
    expect(matches.map(({ match_key }) => match_key)).toEqual([
      'invoice_number=inv001',
      'name=001 acme holding inv',
      'name=acme holding',
      'tax_id=de12345',
    ]);
  });

  test('adds nothing when a source is sent again', async () => {
    const { read, call, storage, schemas, check, entityOf } = open(engine);
    const source: ObservationSource = {
      ...{ kind: 'record', id: 'r1', key: 'r1', submissionId: 'r1', origin: 'r1' },
      ...{ observedAt: 5, period: { effectiveUntil: null }, priority: 50 },
    };
    const draft: ObservationDraft = {
      ...{
        entityType: 'company',
        entityId: acme,
        name: 'acme',
        displayName: 'Acme',
        identityRule: 'name',
        role: 'self',
      },
      stated: { name: 'Acme' },
    };
    const write = () =>
      storage.write(call('test', { audit: 'none' }), (db) => writeObservations(db, { schemas }, source, [draft]));
    const written = await write();
    expect(await write()).toEqual(written.map((one) => ({ ...one, isNew: false, similar: [] })));
    expect(await entityOf(acme)).toMatchObject({ observation_count: 1 });
    expect(await read((db) => allRows(db))).toMatchObject([{ source_kind: 'record', priority: 50 }]);
    await check();
  });

  test('loses no concurrent write to one entity', async () => {
    const tenant = engine.newTenant();
    const here = createTruthFixture(engine.base(), {}).as(tenant);
    const there = createTruthFixture(engine.base(await engine.openOther()), {}).as(tenant);
    const days = Array.from({ length: 12 }, (_, i) => i + 1);
    // The rows exist before the writers start, so that each could overwrite another.
    await here.submit(invoice({ vendor_name: 'Acme', customer_name: 'Zed', invoice_number: 'first' }));
    await Promise.all(
      days.map((day) =>
        (day % 2 === 0 ? here : there).submit(
          invoice(
            // Vendor and customer swap, so that the writers need the rows in both orders.
            day % 3 === 0
              ? { vendor_name: 'Acme', customer_name: 'Zed', vendor_tags: [`t${day}`], invoice_number: `${day}` }
              : { vendor_name: 'Zed', customer_name: 'Acme', customer_tags: [`t${day}`], invoice_number: `${day}` },
            { extracted_at: at(day) },
          ),
        ),
      ),
    );
    const truth = createTruthFixture(engine.base(), {});
    await truth.as(tenant).read(function* (db) {
      expect(yield* wrongEntities(db, truth.schemas)).toEqual([]);
      const companies = (yield* allEntities(db)).filter(({ entity_type }) => entity_type === 'company');
      expect(companies.map(({ observation_count }) => observation_count)).toEqual([days.length + 1, days.length + 1]);
      const totals = yield* allTotals(db);
      expect(totals.find(({ kind }) => kind === 'payloads')).toMatchObject({ count: days.length + 1 });
      expect(totals.find(({ key }) => key === 'company')).toMatchObject({ count: 2 });
    });
  });

  describe('the cost of a write', () => {
    const trips = async (one: ReturnType<typeof open>, body: object) => {
      let count = 0;
      // The last run counts if the write is repeated.
      const write: Storage['write'] = (call, work) =>
        one.storage.write(call, (db) => {
          count = 0;
          return counted(work(db)[Symbol.iterator](), () => {
            count += 1;
          });
        });
      const payloads = createPayloads({ ...one, storage: { ...one.storage, write } });
      await payloads.submit(invoice(body), one.call());
      return count;
    };

    test('does not depend on earlier observations', async () => {
      const one = open(engine);
      const counts: number[] = [];
      for (let i = 0; i < 6; i += 1) counts.push(await trips(one, { invoice_number: `${i}` }));
      expect(Math.max(...counts)).toBeLessThanOrEqual(20);
      expect(new Set(counts.slice(1)).size).toBe(1);
    });

    test('a payload with the maximum number of entities is one transaction, for new and existing entities', async () => {
      const { submit, check } = open(engine);
      const tasks = Array.from({ length: truthLimits.payloadEntitiesCount - 1 }, (_, i) => ({
        title: `task number ${i}`,
        due_date: '2025-03-01',
      }));
      for (const title of ['a', 'b']) {
        const { entities } = await submit(payloadOf('note', { title, tasks }));
        expect(entities).toHaveLength(truthLimits.payloadEntitiesCount);
      }
      await check();
    });
  });
});

function* allRows(db: Reader) {
  return yield* allObservations(db);
}
