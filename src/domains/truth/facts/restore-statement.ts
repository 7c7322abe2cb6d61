import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { closeByCorrection } from '../contradictions/track-contradictions.ts';
import type { Answer } from '../entities/entity-model.ts';
import { type EntityRow, findEntities } from '../entities/entity-store.ts';
import {
  findCorrections,
  insertCorrection,
  listObservationsOfSubmission,
  type ObservationRow,
  parseDetails,
} from '../entities/observed-store.ts';
import { parseFields } from '../entities/reduce-rows.ts';
import type { EntityIndexingDeps } from '../entities/search/entity-documents.ts';
import { keySeparator } from '../observations/entity-name.ts';
import type { ObservationDraft, ObservationSource } from '../observations/observation.ts';
import { writeObservations } from '../observations/write-observations.ts';
import { findPayloads } from '../payloads/payload-store.ts';
import { findRetractions, findSubmissions, insertSubmissions } from '../payloads/submission-store.ts';
import { uuidOf } from '../relationships/relationship-id.ts';
import { findEdges } from '../relationships/relationship-store.ts';
import { stateEdges } from '../relationships/state-edge.ts';
import { historyOf } from '../relationships/statements/edge-history.ts';
import { listEdgesOfSubmission, listStatements } from '../relationships/statements/statement-store.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { submissionTopic } from '../truth-vocabulary.ts';
import { expectTarget, type Target } from './retract-statement.ts';

export const restoreInput = z.strictObject({
  id: z.string().min(1).max(truthLimits.recordIdChars).describe('As given to retract_statement'),
});

export const restoreAnswer = z.object({
  id: z.string().describe('Of the restored statement: retract_statement takes it back again'),
  kind: z.enum(['correction', 'submission']),
  restored: z.boolean().describe('False if it was not retracted, or is restored already'),
  restored_from: z.string().optional().describe('The id of the retracted statement'),
  entity_ids: z.array(z.string()),
});
export type RestoreAnswer = Answer<typeof restoreAnswer>;

/** The same for each statement, so that it is restored once. */
const restoredIdOf = (id: string, kind: Target['kind']): string => {
  const uuid = uuidOf('restored', id);
  return kind === 'submission' ? `sub_${uuid}` : uuid;
};

interface Retracted extends Target {
  readonly id: string;
  readonly retractedAt: number;
}

function* exists(db: Reader, id: string, kind: Target['kind']): Work<boolean> {
  const rows = kind === 'submission' ? yield* findSubmissions(db, [id]) : yield* findCorrections(db, [id]);
  return rows.length > 0;
}

/** The last of a statement and its restorations; without a time if it counts. */
function* findLast(db: Reader, id: string): Work<Target & { readonly id: string; readonly retractedAt?: number }> {
  const target = yield* expectTarget(db, id);
  for (let last = id; ; ) {
    const [retraction] = yield* findRetractions(db, [last]);
    const current = last === id ? target : yield* expectTarget(db, last);
    if (retraction === undefined) return { ...current, id: last };
    const next = restoredIdOf(last, target.kind);
    if (!(yield* exists(db, next, target.kind))) return { ...current, id: last, retractedAt: retraction.created_at };
    last = next;
  }
}

function toDraft(row: ObservationRow, entity: EntityRow): ObservationDraft {
  const { ended, at_chars, until_chars } = parseDetails(row.details);
  return {
    entityType: row.entity_type,
    entityId: row.entity_id,
    displayName: entity.canonical_name,
    name: entity.canonical_name,
    identityRule: 'name',
    role: row.role,
    stated: { ...parseFields(row.raw_fragments), ...parseFields(row.fields) },
    ...(ended === undefined ? {} : { ended }),
    // The start as it was, also where none was given: otherwise it would be now.
    period: {
      effectiveAt: row.effective_at,
      effectiveUntil: row.effective_until,
      atChars: at_chars,
      untilChars: until_chars,
    },
  };
}

/** Its source, with another id and key. All observations of a statement have the same source. */
function toSource(row: ObservationRow, given: Pick<ObservationSource, 'id' | 'key' | 'submissionId'>) {
  return {
    ...given,
    kind: row.source_kind,
    origin: row.origin,
    observedAt: row.observed_at,
    period: { effectiveAt: row.effective_at, effectiveUntil: row.effective_until },
    priority: row.priority,
    isUntilNewer: parseDetails(row.details).until_newer === true,
  } satisfies ObservationSource;
}

const parseMetadata = (text: string | null): Readonly<Record<string, Json>> | undefined => {
  const parsed = text === null ? undefined : (JSON.parse(text) as Json);
  return isObject(parsed) ? (parsed as Readonly<Record<string, Json>>) : undefined;
};

/** States the periods of edges again that the retraction took back. */
function* restoreEdges(db: Writer, { id, retractedAt }: Retracted, payloadId: string, newId: string, actor: string) {
  const edgeIds = (yield* listEdgesOfSubmission(db, id)).map(({ relationship_id }) => relationship_id);
  if (edgeIds.length === 0) return;
  const byEdge = Map.groupBy(yield* listStatements(db, edgeIds), ({ relationship_id }) => relationship_id);
  for (const edge of yield* findEdges(db, edgeIds)) {
    const known = byEdge.get(edge.relationship_id) ?? [];
    // Somebody has deleted the edge itself.
    if (historyOf(known).isDeleted) continue;
    const gone = known.filter(
      (one) => one.kind === 'state' && one.submission_id === id && one.replaced_at === retractedAt,
    );
    const statements = gone.map((one) => ({
      type: edge.relationship_type,
      targetId: edge.target_entity_id,
      effective: {
        at: one.effective_at,
        atChars: one.at_chars ?? undefined,
        until: one.effective_until ?? undefined,
        untilChars: one.until_chars ?? undefined,
      },
      metadata: parseMetadata(one.metadata),
      source: { kind: one.source_kind, id: payloadId, submissionId: newId },
      actor,
    }));
    yield* stateEdges(db, edge.source_entity_id, statements);
  }
}

type RestoreDeps = EntityIndexingDeps & SchemaDeps;

function* draftAll(db: Reader, observations: readonly ObservationRow[]): Work<readonly ObservationDraft[]> {
  const ids = [...new Set(observations.map(({ entity_id }) => entity_id))];
  const rows = ids.length === 0 ? [] : yield* findEntities(db, ids);
  const entities = new Map(rows.map((row) => [row.entity_id, row]));
  return observations.map((row) => toDraft(row, entities.get(row.entity_id)!));
}

/** A further submission of the same payload, with the same times and the same author. */
function* restoreSubmission(db: Writer, deps: RestoreDeps, retracted: Retracted, actor: string): Work<string> {
  const [submission] = yield* findSubmissions(db, [retracted.id]);
  const { created_at: _createdAt, ...row } = submission!;
  const [payload] = yield* findPayloads(db, [row.payload_id]);
  const newId = restoredIdOf(retracted.id, 'submission');
  const key = `${payload!.content_id}${keySeparator}${sha256Hex(newId).slice(0, 24)}`;
  yield* insertSubmissions(db, [{ ...row, submission_id: newId, source_key: key, client_request_id: null, actor }]);
  yield* db.changed(submissionTopic, newId, 'create', sha256Hex(key));
  const [first] = retracted.observations;
  if (first !== undefined) {
    const source = toSource(first, { id: row.payload_id, key, submissionId: newId });
    yield* writeObservations(db, deps, source, yield* draftAll(db, retracted.observations));
  }
  yield* restoreEdges(db, retracted, row.payload_id, newId, actor);
  return newId;
}

function* restoreCorrection(db: Writer, deps: RestoreDeps, retracted: Retracted, actor: string): Work<string> {
  const [correction] = yield* findCorrections(db, [retracted.id]);
  const { entity_id, reason } = correction!;
  const newId = restoredIdOf(retracted.id, 'correction');
  yield* insertCorrection(db, { correction_id: newId, entity_id, reason }, actor);
  const [first] = retracted.observations;
  const source = toSource(first!, { id: newId, key: newId, submissionId: newId });
  yield* writeObservations(db, deps, source, yield* draftAll(db, retracted.observations));
  const [stored] = yield* listObservationsOfSubmission(db, newId, newId);
  yield* closeByCorrection(db, stored!, { actor, reason });
  return newId;
}

const cannotRestore = () =>
  faults.VALIDATION_ERROR(
    { why: 'what a file states cannot be restored; state it again with store_fact or correct_entity' },
    { field: 'id', fix: 'State the values again with store_fact.' },
  );

/** [TR105] Stated again as it was, which is recorded now: what was known in between does not change. */
function* restore(db: Writer, deps: RestoreDeps, id: string, actor: string): Work<RestoreAnswer> {
  const last = yield* findLast(db, id);
  const { kind, observations, retractedAt } = last;
  if (kind === 'record') throw cannotRestore();
  const entity_ids = [...new Set(observations.map(({ entity_id }) => entity_id))].sort();
  const from = last.id === id ? {} : { restored_from: id };
  if (retractedAt === undefined) return { id: last.id, kind, restored: false, ...from, entity_ids };
  const retracted = { ...last, retractedAt };
  const newId = yield* (kind === 'submission' ? restoreSubmission : restoreCorrection)(db, deps, retracted, actor);
  return { id: newId, kind, restored: true, restored_from: id, entity_ids };
}

export const createRestoration =
  ({ storage, ...deps }: Pick<TruthDeps, 'storage'> & RestoreDeps) =>
  ({ id }: z.infer<typeof restoreInput>, call: Call): Promise<RestoreAnswer> =>
    storage.write(call, (db) => restore(db, deps, id, call.actor));
