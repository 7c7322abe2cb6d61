import type { ObservationRow } from '../entities/observed-store.ts';
import { toObservation } from '../entities/reduce-rows.ts';
import type { EntitySchema } from '../schemas/entity-schema.ts';
import { splitFields } from '../schemas/fit-value.ts';
import type { ObservationFacts } from './derived-rows.ts';

/** Read with the active schema: fields that it has learned since count too. */
export function factsOfRow(row: ObservationRow, schema: EntitySchema): ObservationFacts {
  const { fields, rawFragments } = toObservation(row);
  return {
    observationId: row.observation_id,
    entityId: row.entity_id,
    entityType: row.entity_type,
    sourceId: row.source_id,
    fields: splitFields(schema, { ...rawFragments, ...fields }).fields,
  };
}
