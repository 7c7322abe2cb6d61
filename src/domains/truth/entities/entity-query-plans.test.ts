import { expect, test } from 'vitest';
import type { Reader, Step } from '#kernel/storage/port.ts';
import { type Sql, sql } from '#kernel/storage/sql.ts';
import { findFileNames } from '../files/file-store.ts';
import { findSharedKeys } from '../observations/observation-store.ts';
import { findByLookupKeys, findByLookupTexts } from '../observations/similar-store.ts';
import { findPayloads, findPayloadsByContent } from '../payloads/payload-store.ts';
import * as records from '../records/record-store.ts';
import * as timeline from '../timeline/timeline-store.ts';
import { describeTruth } from '../truth.fixture.ts';
import { createEntitiesFixture } from './entities.fixture.ts';
import * as store from './entity-store.ts';
import * as observed from './observed-store.ts';
import * as search from './search/entity-search-store.ts';

interface PlanRow {
  readonly detail: string;
}

/** Records the query plan of each query instead of running it. */
function explaining(db: Reader): { readonly reader: Reader; readonly asked: Step<readonly PlanRow[]>[] } {
  const asked: Step<readonly PlanRow[]>[] = [];
  const answering = (answer: unknown) =>
    ({
      // biome-ignore lint/correctness/useYield: it answers without asking the store.
      *[Symbol.iterator]() {
        return answer;
      },
    }) as unknown as Step<never>;
  const ask =
    (answer: unknown) =>
    ({ parts: [first, ...parts], args }: Sql) => {
      asked.push(db.all<PlanRow>({ parts: [`explain query plan ${first}`, ...parts], args }));
      return answering(answer);
    };
  return { reader: { tenant: db.tenant, now: db.now, get: ask(undefined), all: ask([]) }, asked };
}

/** A statement that checks its rows runs only when it is yielded. */
const drive = (asked: unknown): void => void [...(asked as Iterable<unknown>)];

const moment = { at: 9, knownAt: 9 };
const ids = ['ent_1', 'ent_2'];
const page = { limit: 10, offset: 0, after: { created_at: 9, record_id: 'r' } };
const every = { eventType: undefined, sourceId: undefined, from: undefined, to: undefined };

/** Each must read through an index: no full table scan, and no sort except among equal times. */
const questions: Readonly<Record<string, (db: Reader) => unknown>> = {
  findEntity: (db) => store.findEntity(db, 'ent_1'),
  findEntities: (db) => store.findEntities(db, ids),
  findEntityHeads: (db) => store.findEntityHeads(db, ids),
  listRoots: (db) => search.listRoots(db, 10, 0),
  listRootsOfType: (db) => search.listRootsOfType(db, 'company', 10, 0),
  listDueEntities: (db) => store.listDueEntities(db, 9, { next_change_at: 0, id: '' }, 10),
  findEntityTotal: (db) => store.findEntityTotal(db, 'company'),
  listEntityTotals: (db) => store.listEntityTotals(db),
  listGroup: (db) => store.listGroup(db, 'ent_1'),
  listGroupKnownAt: (db) => store.listGroupKnownAt(db, 'ent_1', 9),
  findTargetKnownAt: (db) => store.findTargetKnownAt(db, 'ent_1', 9),
  listReducerRows: (db) => observed.listReducerRows(db, 'ent_1', moment, { observed_at: 0, observation_id: '' }, 10),
  findFirstStart: (db) => observed.findFirstStart(db, ids, 9),
  listReducerRowsOfMany: (db) => observed.listReducerRowsOfMany(db, ids, moment),
  listRawFragments: (db) => observed.listRawFragments(db, 'ent_1', moment, '1.0', 10),
  listObservations: (db) => observed.listObservations(db, 'ent_1', 10, 0),
  findObservations: (db) => observed.findObservations(db, ids, [1, 2], ids),
  listObservationsOfField: (db) =>
    observed.listObservationsOfField(
      db,
      'ent_1',
      { stated: '%x%', ended: '%x%' },
      { observedAt: 9, observationId: '' },
      10,
    ),
  findCorrectionSince: (db) => observed.findCorrectionSince(db, ids, 9),
  listEntitiesByIdentifier: (db) => store.listEntitiesByIdentifier(db, ids, 10),
  listEntitiesByIdentifiers: (db) => store.listEntitiesByIdentifiers(db, [{ type: 'company', identifiers: ids }], 10),
  listEntitiesByIdentifierOfType: (db) => store.listEntitiesByIdentifierOfType(db, ids, 'company', 10),
  findByLookupKeys: (db) => findByLookupKeys(db, ids, ['company'], 10),
  findByLookupTexts: (db) => findByLookupTexts(db, ids, 10),
  findPayloads: (db) => findPayloads(db, ids),
  findPayloadsByContent: (db) => findPayloadsByContent(db, ids),
  findRecordHeads: (db) => records.findRecordHeads(db, ids),
  listNewest: (db) => records.listNewest(db, page),
  listNewestOfType: (db) => records.listNewestOfType(db, 'note', page),
  findFileNames: (db) => findFileNames(db, [{ bucket: 'files', sha256: 'a' }]),
  listNewestTimes: (db) => observed.listNewestTimes(db, ids, 10),
  findCorrections: (db) => observed.findCorrections(db, ids),
  listEvents: (db) => timeline.listEvents(db, every, 10, 0),
  'listEvents in a span': (db) => timeline.listEvents(db, { ...every, from: 1, to: 2 }, 10, 0),
  'listEvents of a type': (db) => timeline.listEvents(db, { ...every, eventType: 'x', from: 1 }, 10, 0),
  'listEvents of a source': (db) => timeline.listEvents(db, { ...every, sourceId: 'x', eventType: 'y' }, 10, 0),
  countEvents: (db) => timeline.countEvents(db, { ...every, eventType: 'x', to: 9 }, 10),
  listEventTotals: (db) => timeline.listEventTotals(db),
};

/** A scan of a whole table, or a sort of the whole result. `e`, `g`, `i` and `v` are table aliases. */
const isCostly = (detail: string): boolean =>
  /^SCAN (?:truth_|[egiv]\b)/.test(detail) || /TEMP B-TREE FOR (?:ORDER BY|GROUP BY)/.test(detail);

describeTruth('entity queries', (engine) => {
  test('reads through an index without sorting', async () => {
    if (engine.kind !== 'sqlite') return;
    const { read } = createEntitiesFixture(engine);
    const plans = await read(function* (db) {
      const found: Record<string, readonly string[]> = {};
      for (const [name, question] of Object.entries(questions)) {
        const { reader, asked } = explaining(db);
        drive(question(reader));
        const rows = yield* asked[0]!;
        found[name] = rows.map(({ detail }) => detail);
      }
      return found;
    });
    for (const [name, plan] of Object.entries(plans)) {
      expect([name, plan.length > 0, plan.filter(isCostly)]).toEqual([name, true, []]);
    }
  });

  test('joins look up single rows instead of scanning the tenant', async () => {
    if (engine.kind !== 'sqlite') return;
    const { read } = createEntitiesFixture(engine);
    const joins: readonly ((db: Reader) => unknown)[] = [
      (db) => findSharedKeys(db, [{ entity_type: 'company', match_key: 'name=acme' }]),
      (db) => store.listGroup(db, 'ent_1'),
      (db) => store.listGroupKnownAt(db, 'ent_1', 9),
      (db) => observed.listObservationsOfSubmission(db, 'source', 'submission'),
      (db) => search.listMembersOf(db, ids),
      (db) => search.listStated(db, ids, 10),
      (db) => search.findTexts(db, ids),
      (db) => search.listRootIds(db, 'ent_1', 10),
      (db) => search.findAges(db, ids),
      (db) => search.listNewestRoots(db, { created_at: 9, entity_id: '' }, 10),
      (db) => search.listNewestRootsOfType(db, 'company', { created_at: 9, entity_id: '' }, 10),
      (db) => records.listEntitiesOfFile(db, 'id'),
    ];
    for (const join of joins) {
      const plan = await read(function* (db) {
        const { reader, asked } = explaining(db);
        drive(join(reader));
        return (yield* asked[0]!).map(({ detail }) => detail);
      });
      expect([String(join), plan.filter((detail) => detail.endsWith('(tenant=?)'))]).toEqual([String(join), []]);
    }
  });

  test('places far down a list are found in the index alone', async () => {
    if (engine.kind !== 'sqlite') return;
    const { read } = createEntitiesFixture(engine);
    for (const list of [
      (db: Reader) => search.listRoots(db, 10, 90_000),
      (db: Reader) => search.listRootsOfType(db, 'company', 10, 90_000),
    ]) {
      const plan = await read(function* (db) {
        const { reader, asked } = explaining(db);
        drive(list(reader));
        return (yield* asked[0]!).map(({ detail }) => detail);
      });
      expect(plan).toEqual([expect.stringContaining('USING COVERING INDEX truth_entities_by_')]);
    }
  });

  test('negative control: detects a full scan and a sort', async () => {
    if (engine.kind !== 'sqlite') return;
    const { read } = createEntitiesFixture(engine);
    const planOf = (query: Sql) =>
      read(function* (db) {
        const { reader, asked } = explaining(db);
        reader.all(query);
        return (yield* asked[0]!).map(({ detail }) => detail);
      });
    expect((await planOf(sql`select entity_id from truth_entities where canonical_name = 'x'`)).some(isCostly)).toBe(
      true,
    );
    const sorted = sql`select entity_id from truth_entities where tenant = 't' order by canonical_name`;
    expect((await planOf(sorted)).some(isCostly)).toBe(true);
  });
});
