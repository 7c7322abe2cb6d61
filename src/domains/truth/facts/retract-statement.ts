import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { followRetraction } from '../contradictions/track-contradictions.ts';
import type { Answer } from '../entities/entity-model.ts';
import { findEntities, listAncestors } from '../entities/entity-store.ts';
import {
  findCorrections,
  listObservationsOfSubmission,
  type ObservationRow,
  retractObservation,
} from '../entities/observed-store.ts';
import type { EntityIndexingDeps } from '../entities/search/entity-documents.ts';
import { toIso } from '../iso-time.ts';
import { setStates } from '../observations/observation-store.ts';
import { findRetractions, findSubmissions, insertRetraction } from '../payloads/submission-store.ts';
import { retractEdges } from '../relationships/retract-edges.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { correctionTopic, entityTopic, submissionTopic } from '../truth-vocabulary.ts';

export const retractInput = z.strictObject({
  id: z
    .string()
    .min(1)
    .max(truthLimits.recordIdChars)
    .describe('correction_id, submission_id of a payload or fact, or record id of a file'),
  reason: z.string().min(1).max(truthLimits.reasonChars).optional(),
});
export type RetractInput = z.infer<typeof retractInput>;

export const retractAnswer = z.object({
  id: z.string(),
  kind: z.enum(['correction', 'submission', 'record']),
  retracted: z.boolean().describe('False if it was retracted before'),
  retracted_at: z.string(),
  entity_ids: z.array(z.string()).describe('Entities whose snapshots no longer use it'),
});
export type RetractAnswer = Answer<typeof retractAnswer>;

export interface Target {
  readonly kind: RetractAnswer['kind'];
  readonly observations: readonly ObservationRow[];
}

export function* expectTarget(db: Reader, id: string): Work<Target> {
  const [submission] = yield* findSubmissions(db, [id]);
  if (submission !== undefined) {
    const observations = yield* listObservationsOfSubmission(db, submission.payload_id, id);
    return { kind: 'submission', observations };
  }
  // What a correction or an uploaded file states has the id of its source.
  const observations = yield* listObservationsOfSubmission(db, id, id);
  const [correction] = yield* findCorrections(db, [id]);
  if (correction !== undefined) return { kind: 'correction', observations };
  if (observations.length > 0) return { kind: 'record', observations };
  throw faults.NOT_FOUND(
    { what: 'correction, submission or uploaded file; get_field_provenance shows the ids of what a value comes from' },
    {
      field: 'id',
      fix: 'get_field_provenance shows the ids of what a value comes from, list_observations those of an entity.',
    },
  );
}

/** The next read reduces them again. */
function* outdate(db: Writer, entityIds: readonly string[]): Work<readonly string[]> {
  const affected = [...new Set([...entityIds, ...(yield* listAncestors(db, entityIds)).map((row) => row.entity_id)])];
  const rows = yield* findEntities(db, affected);
  yield* setStates(
    db,
    rows.map(({ entity_id, schema_version, state }) => ({ entity_id, schema_version, state, next_change_at: 0 })),
  );
  for (const { entity_id, state } of rows) yield* db.changed(entityTopic, entity_id, 'update', sha256Hex(state));
  return affected;
}

/** Recorded, never deleted: what was known before stays known. */
function* retract(
  db: Writer,
  deps: EntityIndexingDeps & SchemaDeps,
  { id, reason }: RetractInput,
  actor: string,
): Work<RetractAnswer> {
  const { kind, observations } = yield* expectTarget(db, id);
  const entity_ids = [...new Set(observations.map(({ entity_id }) => entity_id))].sort();
  const [before] = yield* findRetractions(db, [id]);
  if (before !== undefined) {
    return { id, kind, retracted: false, retracted_at: toIso(before.created_at), entity_ids };
  }
  yield* insertRetraction(db, { target_id: id, reason: reason ?? null, actor });
  for (const row of observations) yield* retractObservation(db, row);
  yield* followRetraction(db, deps, observations, { closing_id: id, actor, reason: reason ?? null });
  if (kind !== 'correction') yield* retractEdges(db, id, actor);
  yield* outdate(db, entity_ids);
  yield* db.changed(kind === 'correction' ? correctionTopic : submissionTopic, id, 'delete', sha256Hex(id));
  const changed = entity_ids.map((entityId) => ({ entityId, stated: [] }));
  if (deps.entityDocuments !== undefined) yield* deps.entityDocuments.put(db, changed);
  return { id, kind, retracted: true, retracted_at: toIso(db.now), entity_ids };
}

export const createRetraction =
  ({ storage, ...deps }: Pick<TruthDeps, 'storage'> & EntityIndexingDeps & SchemaDeps) =>
  (input: RetractInput, call: Call): Promise<RetractAnswer> =>
    storage.write(call, (db) => retract(db, deps, input, call.actor));
