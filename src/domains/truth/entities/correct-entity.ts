import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Json } from '#kernel/json/canonical.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { closeByCorrection } from '../contradictions/track-contradictions.ts';
import { isFiniteJson } from '../json-object.ts';
import { findPossibleDuplicates } from '../merges/possible-duplicates.ts';
import { readPeriod } from '../observations/effective-time.ts';
import type { ObservationDraft, ObservationSource } from '../observations/observation.ts';
import { writeObservations } from '../observations/write-observations.ts';
import { type EntitySchema, fieldOf } from '../schemas/entity-schema.ts';
import { nearField } from '../schemas/near-field.ts';
import { noKey, type Review, reviewStatement } from '../schemas/review-statement.ts';
import { truthLimits } from '../truth-limits.ts';
import { fieldPattern } from '../truth-vocabulary.ts';
import type { EntitySnapshot } from './entity-model.ts';
import { type EntitiesDeps, expectRoot, membersOf } from './load-entity.ts';
import { findCorrectionSince, insertCorrection, listObservationsOfSubmission } from './observed-store.ts';
import { readCurrent } from './read-snapshot.ts';

type Stated = Readonly<Record<string, Json>>;

function isStated(value: unknown): value is Stated {
  if (!isObject(value)) return false;
  const count = Object.keys(value).length;
  if (count === 0 || count > truthLimits.correctedFieldsCount || !isFiniteJson(value, truthLimits.bodyDepth))
    return false;
  return Buffer.byteLength(JSON.stringify(value)) <= truthLimits.bodyBytes;
}

/** Passes the object itself on, not a copy by the parser. */
export const correctedFields = z
  .custom<Stated>(isStated, {
    error: 'must be a JSON object with finite numbers and at least one field, within the size limit',
  })
  .meta({ type: 'object', minProperties: 1, maxProperties: truthLimits.correctedFieldsCount });

export interface CorrectInput {
  readonly entity_id: string;
  readonly fields: Stated;
  readonly reason?: string | undefined;
  readonly effective_at?: string | undefined;
  readonly effective_until?: string | undefined;
  readonly until_newer?: boolean | undefined;
}

export interface CorrectAnswer extends EntitySnapshot, Review {
  readonly observation_id: string;
  readonly correction_id: string;
}

/** Higher than the priority of any capability. */
const correctionPriority = 1_000;

const refuse = (why: string, details: Readonly<Record<string, unknown>>) => faults.VALIDATION_ERROR({ why }, details);

function checkName(schema: EntitySchema, name: string, value: Json): void {
  if (!fieldPattern.test(name)) throw refuse('fields contains an invalid field name', { field: 'fields' });
  if (value === null) throw refuse(`${name} must not be null`, { field: name });
  // A type without a schema has no known fields, so any name is accepted.
  if (fieldOf(schema, name) !== undefined || Object.keys(schema.fields).length === 0) return;
  const known = Object.keys(schema.fields);
  const nearest = nearField(name, known, schema.entity_type);
  const meant = nearest === undefined ? '' : ` (did you mean ${nearest}?)`;
  throw refuse(`${schema.entity_type} has no field ${name}${meant}; known fields: ${known.join(', ')}`, {
    field: name,
    ...(nearest === undefined ? {} : { did_you_mean: nearest }),
    known,
  });
}

/** A correction is applied as a whole: a value that does not fit is refused and not kept as a raw fragment. */
function checkFields(schema: EntitySchema, fields: Stated): Review {
  for (const [name, value] of Object.entries(fields)) checkName(schema, name, value);
  const review = reviewStatement(schema, noKey, fields);
  const misfit = review.not_fitting?.find(({ parsed_as }) => parsed_as === undefined);
  if (misfit === undefined) return review;
  const { type } = fieldOf(schema, misfit.field)!;
  const why = misfit.note === undefined ? '' : `. ${misfit.note}`;
  throw refuse(`${misfit.field} must be of type ${type}${why}`, { field: misfit.field, type });
}

export function createCorrections(deps: EntitiesDeps) {
  const { storage, ids } = deps;
  return async function correct(input: CorrectInput, call: Call): Promise<CorrectAnswer> {
    const correctionId = ids.uuid();
    const { fields } = input;
    const period = readPeriod(input);
    return storage.write(call, function* (db) {
      const { entity, root } = yield* expectRoot(db, input.entity_id);
      const schema = yield* deps.schemas.active(db, entity.entity_type);
      const review = checkFields(schema, fields);
      const members = yield* membersOf(db, root.entity_id);
      // [TR31]
      const last = (yield* findCorrectionSince(db, members, db.now))?.observed_at ?? null;
      const observedAt = last === null ? db.now : last + 1;
      const source: ObservationSource = {
        kind: 'correction',
        id: correctionId,
        key: correctionId,
        submissionId: correctionId,
        origin: call.actor,
        observedAt,
        // Not `observedAt`, which can be in the future: the correction holds from now on.
        period: { ...period, effectiveAt: period.effectiveAt ?? db.now },
        priority: correctionPriority,
        isUntilNewer: input.until_newer === true,
      };
      const draft: ObservationDraft = {
        entityType: entity.entity_type,
        // The entity in the request, not its root, so that the correction stays with it after an unmerge.
        entityId: entity.entity_id,
        displayName: entity.canonical_name,
        name: entity.canonical_name,
        identityRule: 'name',
        role: 'correction',
        stated: fields,
      };
      const correction = { correction_id: correctionId, entity_id: entity.entity_id, reason: input.reason ?? null };
      yield* insertCorrection(db, correction, call.actor);
      const [written] = yield* writeObservations(db, deps, source, [draft]);
      const [stored] = yield* listObservationsOfSubmission(db, correctionId, correctionId);
      yield* closeByCorrection(db, stored!, { actor: call.actor, reason: correction.reason });
      const { snapshot } = yield* readCurrent(db, deps, input.entity_id);
      const duplicates = yield* findPossibleDuplicates(db, [written!]);
      return {
        ...snapshot,
        ...review,
        ...duplicates,
        observation_id: written!.observationId,
        correction_id: correctionId,
      };
    });
  };
}
