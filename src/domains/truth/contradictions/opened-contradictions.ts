import { z } from 'zod';
import type { Answer } from '../entities/entity-model.ts';
import type { WrittenObservation } from '../observations/observation.ts';
import { shorten } from '../schemas/review-statement.ts';
import { truthLimits } from '../truth-limits.ts';

/** Short: list_contradictions has the rest. */
const opened = z.object({
  contradiction_id: z.string(),
  entity_id: z.string(),
  field: z.string(),
  values: z.array(z.object({ value: z.unknown(), observation_id: z.string() })),
});

/** Part of the answer to a write. */
export const openedFields = {
  contradictions: z
    .array(opened)
    .optional()
    .describe('Sources that state other values for the same time: see list_contradictions'),
};

/** The contradictions that a write has opened; nothing if there are none. */
export function openedBy(written: readonly WrittenObservation[]): {
  readonly contradictions?: readonly Answer<typeof opened>[];
} {
  const found = new Map(written.flatMap((one) => one.opened).map((one) => [one.contradictionId, one]));
  if (found.size === 0) return {};
  const contradictions = [...found.values()].slice(0, truthLimits.reviewedCount).map((one) => ({
    contradiction_id: one.contradictionId,
    entity_id: one.entityId,
    field: one.field,
    values: one.statements.map(({ observationId, value }) => ({
      value: shorten(value),
      observation_id: observationId,
    })),
  }));
  return { contradictions };
}
