import { expect, test } from 'vitest';
import type { Reader } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { describeTruth } from '../truth.fixture.ts';
import { countEdges, type EdgeSelector, type EdgeView, listEdges, listEdgeTypes } from './edge-list-store.ts';
import { listEventsOf, listNewestObservations } from './graph/graph-store.ts';
import { createGraphFixture, queryOf } from './graph.fixture.ts';
import { membersKnownAt, rootsKnownAt } from './past-group-store.ts';
import {
  countEdgesOf,
  countEdgesOfMembers,
  findEdges,
  listAllEdges,
  listCrossing,
  listDueEdges,
  reachDown,
  reachUp,
  repointSources,
  repointTargets,
  splitSources,
  splitTargets,
} from './relationship-store.ts';
import { findTypes } from './relationship-types/type-store.ts';
import { listNewestPeriods, listPeriodsAt, listStatements, setReplacedAt } from './statements/statement-store.ts';

const selectorOf = (side: EdgeSelector['side'], phase: number, members?: readonly string[]): EdgeSelector => ({
  ...{ rootId: 'ent_a', side, type: 'PART_OF', phase },
  ...(members !== undefined && { members }),
});
const selectors = [selectorOf('out', 0), selectorOf('in', 0)];
/** As many as a search over entities asks for: with this many, SQLite guesses that it is cheaper to read all edges. */
const manySelectors = Array.from({ length: 24 }, (_, i) => ({
  ...selectorOf(i % 2 === 0 ? 'out' : 'in', 0),
  rootId: `ent_${i}`,
}));
const past = [selectorOf('out', 0, ['ent_a']), selectorOf('in', 1, ['ent_a', 'ent_b'])];
const now: EdgeView = { at: 7, isNow: true, knownAt: undefined, withEnded: false };
const views: Readonly<Record<string, EdgeView>> = {
  now,
  'at a time': { ...now, isNow: false },
  'as known at a time': { ...now, knownAt: 7 },
  'with ended ones': { ...now, withEnded: true },
  'with ended ones as known at a time': { ...now, knownAt: 7, withEnded: true },
};

describeTruth('relationship queries', (engine) => {
  const planOf = async (make: (db: Reader) => unknown): Promise<string> => {
    const { read, tenant } = createGraphFixture(engine);
    const rows = await read((db) =>
      db.all(sql<{ detail: string }>`explain query plan ${queryOf(make, tenant)}`)[Symbol.iterator](),
    );
    return rows.map(({ detail }) => detail).join('\n');
  };

  test
    .skipIf(engine.kind !== 'sqlite')
    .for([
      ...Object.entries(views).flatMap(([name, view]) => [
        [`edges ${name}`, (db: Reader) => listEdges(db, selectors, view, 10)] as const,
        [`edges of a past group ${name}`, (db: Reader) => listEdges(db, past, view, 10)] as const,
        [`the number of edges ${name}`, (db: Reader) => countEdges(db, selectors, view, 10)] as const,
        [`the number of edges of a past group ${name}`, (db: Reader) => countEdges(db, past, view, 10)] as const,
      ]),
      ['edges of many entities', (db: Reader) => listEdges(db, manySelectors, now, 120, 0, 5)],
      ['types of edges', (db: Reader) => listEdgeTypes(db, ['out', 'in'], ['ent_a', 'ent_b'])],
      ['edges by id', (db: Reader) => findEdges(db, ['a', 'b'])],
      ['a page of all edges', (db: Reader) => listAllEdges(db, 'a', 10)],
      ['edges that are due', (db: Reader) => listDueEdges(db, 7, { next_change_at: 1, id: 'a' }, 10)],
      ['statements', (db: Reader) => listStatements(db, ['a', 'b'])],
      ['periods at a time', (db: Reader) => listPeriodsAt(db, ['a', 'b'], 7, 7)],
      ['the newest periods', (db: Reader) => listNewestPeriods(db, ['a', 'b'], 7, 10)],
      [
        'marking a statement',
        (db: Reader) => setReplacedAt(db as never, { relationship_id: 'a', statement_id: 'b' }, 7),
      ],
      ['relationship types', (db: Reader) => findTypes(db, ['A', 'B'])],
      ['roots in the past', (db: Reader) => rootsKnownAt(db, ['ent_a', 'ent_b'], 7)],
      ['members in the past', (db: Reader) => membersKnownAt(db, ['ent_a', 'ent_b'], 7)],
      ['the way down', (db: Reader) => reachDown(db, 'PART_OF', 'ent_a', 'ent_b', '', 10)],
      ['the way up', (db: Reader) => reachUp(db, 'PART_OF', 'ent_a', 'ent_b', '', 10)],
      ['both sides', (db: Reader) => countEdgesOf(db, 'ent_a')],
      ['members', (db: Reader) => countEdgesOfMembers(db, 'ent_a', ['ent_b'])],
      ['crossing', (db: Reader) => listCrossing(db, 'ent_a', ['ent_b'])],
      ['moving targets', (db: Reader) => repointTargets(db as never, 'ent_a', 'ent_b')],
      ['moving sources back', (db: Reader) => splitSources(db as never, 'ent_a', 'ent_b', ['ent_c'])],
      ['moving', (db: Reader) => repointSources(db as never, 'ent_a', 'ent_b')],
      ['moving back', (db: Reader) => splitTargets(db as never, 'ent_a', 'ent_b', ['ent_c'])],
      ['sightings', (db: Reader) => listNewestObservations(db, ['ent_a', 'ent_b'], 7, 10)],
      ['events', (db: Reader) => listEventsOf(db, ['a'], ['ent_a'], 7, 10)],
    ] as const)('%s use an index', async ([, make]) => {
    const plan = await planOf(make);
    expect(plan).toMatch(/SEARCH/);
    expect(plan).not.toMatch(/(?:SCAN (?:truth_|[dekrsv]\b)|\(tenant=\?\))/);
  });

  test.skipIf(engine.kind !== 'sqlite')('reads one side in index order without sorting everything', async () => {
    const plan = await planOf((db) => listEdges(db, [selectorOf('out', 0)], now, 10));
    expect(plan).toMatch(
      /truth_relationships_out \(tenant=\? AND source_root_id=\? AND relationship_type=\? AND phase=\?\)/,
    );
    expect(plan).toMatch(/TEMP B-TREE FOR LAST TERM OF ORDER BY/);
  });
});
