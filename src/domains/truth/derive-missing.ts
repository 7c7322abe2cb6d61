import type { Work, Writer } from '#kernel/storage/port.ts';
import { chunksOf } from './chunks.ts';
import { openContradictions } from './contradictions/track-contradictions.ts';
import { findEntityHeads } from './entities/entity-store.ts';
import { listReducerRows, type ObservationRow } from './entities/observed-store.ts';
import { lookupsOfFields, lookupsOfName, writeLookups } from './observations/derived-rows.ts';
import { factsOfRow } from './observations/facts-of-row.ts';
import type { SchemaDeps } from './schemas/schemas.ts';
import { truthLimits } from './truth-limits.ts';

type RowKey = Pick<ObservationRow, 'observed_at' | 'observation_id'>;

/** By entity: the observation after which to go on. */
export type Unfinished = ReadonlyMap<string, RowKey>;

const start: RowKey = { observed_at: Number.MIN_SAFE_INTEGER, observation_id: '' };

export const allOf = (entityIds: readonly string[]): Unfinished => new Map(entityIds.map((id) => [id, start]));

/** Observations of one entity per transaction. */
export const derivedObservationsCount = 50;

/** Statements that are compared together, even if each is in a group of the largest size. */
const comparedCount = Math.floor(truthLimits.mergedLookupsCount / truthLimits.groupCount);

/**
 * Adds what older versions did not derive from the observations: keys for similar names, and contradictions. Adds
 * nothing the second time. Takes some observations of each entity; the rest is returned.
 */
export function* deriveMissing(db: Writer, deps: SchemaDeps, unfinished: Unfinished): Work<Unfinished> {
  const rest = new Map<string, RowKey>();
  const rows: ObservationRow[] = [];
  for (const [entityId, after] of unfinished) {
    const page = yield* listReducerRows(db, entityId, undefined, after, derivedObservationsCount);
    rows.push(...page);
    if (page.length === derivedObservationsCount) rest.set(entityId, page.at(-1)!);
  }
  const schemas = yield* deps.schemas.activeOf(db, [...new Set(rows.map(({ entity_type }) => entity_type))]);
  const heads = yield* findEntityHeads(db, [...unfinished.keys()]);
  yield* writeLookups(db, [
    ...heads.map(({ entity_type, entity_id, canonical_name }) => lookupsOfName(entity_type, entity_id, canonical_name)),
    ...rows.map((row) => {
      const schema = schemas.get(row.entity_type)!;
      return lookupsOfFields(schema, factsOfRow(row, schema));
    }),
  ]);
  for (const some of chunksOf(rows, comparedCount)) yield* openContradictions(db, deps, some);
  return rest;
}
