import { expect, test } from 'vitest';
import type { Reader } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { describeTruth } from '../truth.fixture.ts';
import { listEventsOf, listNewestObservations } from './graph/graph-store.ts';
import { createGraphFixture, queryOf } from './graph.fixture.ts';
import { toSelectors } from './list-relationships.ts';
import {
  countEdges,
  countEdgesOf,
  countEdgesOfMembers,
  listCrossing,
  listEdges,
  reachDown,
  reachUp,
  repointSources,
  repointTargets,
  splitSources,
  splitTargets,
} from './relationship-store.ts';

const selectors = toSelectors(['ent_a'], 'both');

describeTruth('relationship queries', (engine) => {
  const planOf = async (make: (db: Reader) => unknown): Promise<string> => {
    const { read, tenant } = createGraphFixture(engine);
    const rows = await read((db) =>
      db.all(sql<{ detail: string }>`explain query plan ${queryOf(make, tenant)}`)[Symbol.iterator](),
    );
    return rows.map(({ detail }) => detail).join('\n');
  };

  test.skipIf(engine.kind !== 'sqlite').for([
    ['edges', (db: Reader) => listEdges(db, selectors, 10)],
    ['their number', (db: Reader) => countEdges(db, selectors, 10)],
    ['the way down', (db: Reader) => reachDown(db, 'PART_OF', 'ent_a', 'ent_b', '', 10)],
    ['the way up', (db: Reader) => reachUp(db, 'PART_OF', 'ent_a', 'ent_b', '', 10)],
    ['both sides', (db: Reader) => countEdgesOf(db, 'ent_a')],
    ['members', (db: Reader) => countEdgesOfMembers(db, 'ent_a', ['ent_b'])],
    ['crossing', (db: Reader) => listCrossing(db, 'ent_a', ['ent_b'])],
    ['moving targets', (db: Reader) => repointTargets(db as never, 'ent_a', 'ent_b')],
    ['moving sources back', (db: Reader) => splitSources(db as never, 'ent_a', 'ent_b', ['ent_c'])],
    ['moving', (db: Reader) => repointSources(db as never, 'ent_a', 'ent_b')],
    ['moving back', (db: Reader) => splitTargets(db as never, 'ent_a', 'ent_b', ['ent_c'])],
    ['sightings', (db: Reader) => listNewestObservations(db, ['ent_a', 'ent_b'], 10)],
    ['events', (db: Reader) => listEventsOf(db, ['a'], ['ent_a'], 10)],
  ] as const)('%s use an index', async ([, make]) => {
    const plan = await planOf(make);
    expect(plan).toMatch(/SEARCH/);
    expect(plan).not.toMatch(/(?:SCAN (?:truth_|[rev]\b)|\(tenant=\?\))/);
  });

  test.skipIf(engine.kind !== 'sqlite')('reads one side in index order without sorting everything', async () => {
    const plan = await planOf((db) => listEdges(db, toSelectors(['ent_a'], 'outbound', ['PART_OF']), 10));
    expect(plan).toMatch(/truth_relationships_out \(tenant=\? AND source_root_id=\? AND relationship_type=\?\)/);
    expect(plan).toMatch(/TEMP B-TREE FOR LAST TERM OF ORDER BY/);
  });
});
