import { describe, expect, it } from 'vitest';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { writeLookups } from '../observations/derived-rows.ts';
import { allIdentifiers, allMatchKeys, allSharedKeys } from '../observations/table-rows.fixture.ts';
import { defaultSchema } from '../schemas/builtin-schemas.ts';
import { createTruthFixture, describeTruth, invoice, payloadOf } from '../truth.fixture.ts';
import { truthLimits } from '../truth-limits.ts';
import { type RebuildReport, rebuild } from './rebuild.ts';

const clean = {
  differing: 0,
  differing_ids: [],
  missing: 0,
  misdirected_relationships: 0,
  differing_relationships: 0,
  wrong_totals: [],
};

/** One kind of damage per row, and what the report says about it. */
const faults: readonly {
  readonly what: string;
  readonly damage: (db: Writer) => Work<unknown>;
  readonly expected: Partial<RebuildReport>;
}[] = [
  {
    what: 'a state that no observation made',
    *damage(db) {
      yield* db.run(
        sql`update truth_entities set state = '{}' where tenant = ${db.tenant} and entity_type = 'invoice'`,
      );
    },
    expected: { differing: 1 },
  },
  {
    what: 'a count',
    *damage(db) {
      yield* db.run(
        sql`update truth_entities set observation_count = 7 where tenant = ${db.tenant} and entity_type = 'company'`,
      );
    },
    expected: { differing: 2 },
  },
  {
    what: 'a root that is none',
    *damage(db) {
      yield* db.run(
        sql`update truth_entities set root_id = 'ent_0' where tenant = ${db.tenant} and entity_type = 'invoice'`,
      );
    },
    expected: { differing: 1 },
  },
  {
    what: 'an event that is missing',
    *damage(db) {
      yield* db.run(sql`delete from truth_events where tenant = ${db.tenant}`);
    },
    expected: { missing: 1 },
  },
  {
    what: 'identifiers that are missing',
    *damage(db) {
      yield* db.run(sql`delete from truth_identifiers where tenant = ${db.tenant} and field = 'name'`);
    },
    expected: { missing: 3 },
  },
  {
    what: 'relationships without statements, as in an older export',
    *damage(db) {
      yield* db.run(sql`delete from truth_relationship_statements where tenant = ${db.tenant}`);
      yield* db.run(sql`
        update truth_relationships set effective_at = 0, next_change_at = 0, source_kind = 'call', source_id = null,
          submission_id = null
        where tenant = ${db.tenant}`);
    },
    expected: { missing: 2, differing_relationships: 0 },
  },
  {
    what: 'a relationship with another period',
    *damage(db) {
      yield* db.run(sql`
        update truth_relationships set phase = 1, effective_until = 7
        where tenant = ${db.tenant} and relationship_type = 'ISSUED_BY'`);
    },
    expected: { differing_relationships: 1 },
  },
  {
    what: 'a statement that seems to be replaced',
    *damage(db) {
      yield* db.run(sql`update truth_relationship_statements set replaced_at = 7 where tenant = ${db.tenant}`);
    },
    expected: { differing_relationships: 2 },
  },
  {
    what: 'a total',
    *damage(db) {
      yield* db.run(
        sql`update truth_totals set count = count + 1 where tenant = ${db.tenant} and kind = 'entities' and key = 'company'`,
      );
    },
    expected: { wrong_totals: ['entities company'] },
  },
];

describeTruth('rebuild', (engine) => {
  async function createStore() {
    const base = engine.base();
    const one = createTruthFixture(base, {}).as(engine.newTenant());
    await one.submit(invoice());
    const check = (isCheck: boolean) =>
      rebuild(
        { storage: base.storage, schemas: base.schemas },
        { check: isCheck, call: () => one.call('truth/rebuild'), progress() {} },
      );
    return { one, check };
  }

  it('[TR16] rows written one by one equal a reduction of all observations', async () => {
    const { one, check } = await createStore();
    await one.submit(invoice({ invoice_number: 'INV-002', vendor_address: '1 Main St' }));
    await one.submit(invoice({ amount: 20 }, { extracted_at: '2025-02-01T00:00:00Z' }));
    expect(await check(true)).toEqual({ ...clean, entities: 4, observations: 9 });
  });

  it('handles any number of derived rows, one transaction at a time', async () => {
    const { one, check } = await createStore();
    const tasks = Array.from({ length: 199 }, (_, i) => ({
      title: `t${i}`,
      due_date: '2025-05-05',
      completed_date: '2025-06-01',
    }));
    await one.submit(payloadOf('note', { title: 'Many', tasks }));
    await one.submit(payloadOf('note', { title: 'Many more', tasks }));
    const all = { entities: 204, observations: 403 };
    expect(await check(true)).toEqual({ ...clean, ...all });
    await one.read(function* (db) {
      yield* db.run(sql`delete from truth_events where tenant = ${db.tenant}`);
    });
    expect(await check(true)).toMatchObject({ ...all, missing: 797 });
    expect(await check(false)).toMatchObject({ ...all, missing: 797 });
    expect(await check(true)).toEqual({ ...clean, ...all });
  });

  it('[TR17] a state from another schema version is not an error, and is reduced again', async () => {
    const { one, check } = await createStore();
    const schema = { entity_type: 'invoice', version: '2.1' };
    const { fields } = defaultSchema('invoice');
    await one.ask('register_entity_schema', { ...schema, fields: { ...fields, colour: { type: 'string' } } });
    await one.ask('activate_entity_schema', schema);
    expect(await check(true)).toEqual({ ...clean, entities: 3, observations: 3 });
    await one.read(function* (db) {
      yield* db.run(
        sql`update truth_entities set observation_count = 7 where tenant = ${db.tenant} and entity_type = 'invoice'`,
      );
    });
    expect(await check(true)).toMatchObject({ differing: 1 });
    await check(false);
    const versions = await one.read(function* (db) {
      return yield* db.all(
        sql<{
          v: string;
        }>`select schema_version as v from truth_entities where tenant = ${db.tenant} and entity_type = 'invoice'`,
      );
    });
    expect(versions).toEqual([{ v: '2.1' }]);
  });

  it('detects and repairs match keys that are shared but not listed as shared, page by page', async () => {
    const { one, check } = await createStore();
    const keys = Array.from({ length: truthLimits.rebuildKeysCount + 1 }, (_, i) => ({
      entity_type: 'company',
      match_key: `name=shared ${i}`,
    }));
    const entered = ['ent_a', 'ent_b'].flatMap((entity_id) => keys.map((key) => ({ ...key, entity_id })));
    await one.read((db) => writeLookups(db, [{ identifiers: [], matchKeys: entered }]));
    const shared = () => one.read((db) => allSharedKeys(db));
    const before = await shared();
    expect(before).toHaveLength(keys.length);
    expect(await check(true)).toMatchObject(clean);
    await one.read(function* (db) {
      yield* db.run(sql`delete from truth_shared_keys where tenant = ${db.tenant}`);
    });
    expect(await check(true)).toMatchObject({ ...clean, missing: before.length });
    expect(await shared()).toEqual([]);
    expect(await check(false)).toMatchObject({ ...clean, missing: before.length });
    expect(await shared()).toEqual(before);
    expect(await check(true)).toMatchObject(clean);
  });

  it('[TR62] creates the lookups of all names again, and the pairs of similar ones', async () => {
    const { one, check } = await createStore();
    for (const vendor_name of ['Micosoft', 'Microsoft', 'Müller Bau', 'Mueller Bau']) {
      await one.submit(invoice({ vendor_name, vendor_aliases: [`${vendor_name} Europe`] }));
    }
    const lookups = () =>
      one.read(function* (db) {
        return [yield* allIdentifiers(db), yield* allMatchKeys(db), yield* allSharedKeys(db)] as const;
      });
    const before = await lookups();
    expect(before[2].some(({ match_key }) => match_key.startsWith('near='))).toBe(true);
    expect(await check(true)).toMatchObject(clean);
    await one.read(function* (db) {
      yield* db.run(sql`delete from truth_identifiers where tenant = ${db.tenant}`);
      yield* db.run(sql`delete from truth_match_keys where tenant = ${db.tenant}`);
      yield* db.run(sql`delete from truth_shared_keys where tenant = ${db.tenant}`);
    });
    await check(false);
    expect(await lookups()).toEqual(before);
    expect(await check(true)).toMatchObject(clean);
  });

  describe('detects and repairs', () => {
    it.each(faults)('$what', async ({ damage, expected }) => {
      const { one, check } = await createStore();
      await one.read((db) => damage(db));
      expect(await check(true)).toMatchObject(expected);
      // The check changed nothing.
      expect(await check(true)).toMatchObject(expected);
      expect(await check(false)).toMatchObject(expected);
      expect(await check(true)).toEqual({ ...clean, entities: 3, observations: 3 });
    });
  });
});
