import { expect, test } from 'vitest';
import type { Reader } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { describeTruth } from '../observations/truth.fixture.ts';
import { listEventsOf, listSightings } from './graph/graph-store.ts';
import { openGraph, queryOf } from './graph.fixture.ts';
import { toArms } from './list-relationships.ts';
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
  returnSources,
  returnTargets,
} from './relationship-store.ts';

const arms = toArms(['ent_a'], 'both');

describeTruth('the plans of relationships', (engine) => {
  const planOf = async (make: (db: Reader) => unknown): Promise<string> => {
    const { read, tenant } = openGraph(engine);
    const rows = await read((db) =>
      db.all(sql<{ detail: string }>`explain query plan ${queryOf(make, tenant)}`)[Symbol.iterator](),
    );
    return rows.map(({ detail }) => detail).join('\n');
  };

  test.skipIf(engine.kind !== 'sqlite').for([
    ['edges', (db: Reader) => listEdges(db, arms, 10)],
    ['their number', (db: Reader) => countEdges(db, arms, 10)],
    ['the way down', (db: Reader) => reachDown(db, 'PART_OF', 'ent_a', 'ent_b', '', 10)],
    ['the way up', (db: Reader) => reachUp(db, 'PART_OF', 'ent_a', 'ent_b', '', 10)],
    ['both sides', (db: Reader) => countEdgesOf(db, 'ent_a')],
    ['members', (db: Reader) => countEdgesOfMembers(db, 'ent_a', ['ent_b'])],
    ['crossing', (db: Reader) => listCrossing(db, 'ent_a', ['ent_b'])],
    ['moving targets', (db: Reader) => repointTargets(db as never, 'ent_a', 'ent_b')],
    ['moving sources back', (db: Reader) => returnSources(db as never, 'ent_a', 'ent_b', ['ent_c'])],
    ['moving', (db: Reader) => repointSources(db as never, 'ent_a', 'ent_b')],
    ['moving back', (db: Reader) => returnTargets(db as never, 'ent_a', 'ent_b', ['ent_c'])],
    ['sightings', (db: Reader) => listSightings(db, ['ent_a', 'ent_b'], 10)],
    ['events', (db: Reader) => listEventsOf(db, ['a'], ['ent_a'], 10)],
  ] as const)('%s are found by an index', async ([, make]) => {
    const plan = await planOf(make);
    expect(plan).toMatch(/SEARCH/);
    expect(plan).not.toMatch(/(?:SCAN (?:truth_|[rev]\b)|\(tenant=\?\))/);
  });

  test.skipIf(engine.kind !== 'sqlite')('a side is read in order and never sorted as a whole', async () => {
    const plan = await planOf((db) => listEdges(db, toArms(['ent_a'], 'outbound', ['PART_OF']), 10));
    expect(plan).toMatch(/truth_relationships_out \(tenant=\? AND source_root_id=\? AND relationship_type=\?\)/);
    expect(plan).toMatch(/TEMP B-TREE FOR LAST TERM OF ORDER BY/);
  });
});
