import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { canonicalJson, type Json } from '#kernel/json/canonical.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { type Body, contentIdOf } from '../capabilities/content-id.ts';
import { openedBy } from '../contradictions/opened-contradictions.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { currentState, expectRoot, type ReducedState, stateAt } from '../entities/load-entity.ts';
import { forgottenIn } from '../forgetting/tombstones.ts';
import { showMoment, showTime } from '../iso-time.ts';
import { findPossibleDuplicates } from '../merges/possible-duplicates.ts';
import { completePeriod, type GivenPeriod, readPeriod } from '../observations/effective-time.ts';
import type { ObservationDraft } from '../observations/observation.ts';
import { checkBody, checkText } from '../payloads/payload-model.ts';
import { writeSubmissions } from '../payloads/submissions.ts';
import { toStateView } from '../reducer/entity-state.ts';
import { expectTypes } from '../relationships/relationship-types/relationship-types.ts';
import { stateEdges } from '../relationships/state-edge.ts';
import { type EntitySchema, fieldOf } from '../schemas/entity-schema.ts';
import { rawRemarks } from '../schemas/raw-remarks.ts';
import { noKey, reviewStatement } from '../schemas/review-statement.ts';
import type { SchemaDeps } from '../schemas/schemas.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { wasStated } from './ended-fields.ts';
import { factCapability } from './fact-capability.ts';
import type { FactAnswer, FactInput } from './fact-model.ts';
import { describeOutcome, findOverruled } from './fact-outcome.ts';
import { type ResolvedEntity, resolveEntities } from './resolve-entity.ts';
import { createRestoration } from './restore-statement.ts';
import { createRetraction } from './retract-statement.ts';

const factPriority = 100;
const extractorVersion = 'fourfold:store_fact';

const refuse = (why: string, field: string) => faults.VALIDATION_ERROR({ why }, { field });

function checkInput({ subject, entity_id, fields = {}, relations = [], ended = [] }: FactInput): void {
  if ((subject === undefined) === (entity_id === undefined)) {
    throw refuse('pass either subject {type, name} or entity_id', 'subject');
  }
  if (Object.keys(fields).length + relations.length + ended.length === 0 && entity_id !== undefined) {
    throw refuse('the fact states nothing: pass fields, relations or ended', 'fields');
  }
  const both = ended.find((name) => Object.hasOwn(fields, name));
  if (both !== undefined) throw refuse(`${both} cannot both have a value and end`, 'ended');
}

/** The key is a field of its own, so that it can be seen and found. */
function keyField({ key }: ResolvedEntity, schema: EntitySchema): Readonly<Record<string, Json>> {
  if (key === undefined) return {};
  return key.includes('@') && fieldOf(schema, 'email') !== undefined ? { email: key } : { key };
}

/** What is stated about an entity because it is new: its name. */
function introduce(entity: ResolvedEntity, schema: EntitySchema): Readonly<Record<string, Json>> {
  if (entity.isKnown) return {};
  const name = ['name', 'title'].find((field) => fieldOf(schema, field) !== undefined);
  return { ...(name === undefined ? {} : { [name]: entity.displayName }), ...keyField(entity, schema) };
}

/** A new entity is known since the earliest of these times, at the latest from now on, and without an end. */
function knownSince(periods: readonly GivenPeriod[], now: number): GivenPeriod {
  const [first] = periods
    .filter(({ effectiveAt }) => effectiveAt !== undefined && effectiveAt < now)
    .sort((a, b) => a.effectiveAt! - b.effectiveAt!);
  return { effectiveAt: first?.effectiveAt, atChars: first?.atChars, effectiveUntil: null };
}

const toDraft = (
  entity: ResolvedEntity,
  role: string,
  stated: Readonly<Record<string, Json>>,
  more: Pick<ObservationDraft, 'ended' | 'period'> = {},
): ObservationDraft => ({
  entityType: entity.entityType,
  entityId: entity.entityId,
  displayName: entity.displayName,
  name: entity.name,
  identityRule: 'name',
  role,
  stated,
  ...more,
});

interface ResolvedRelation {
  readonly type: string;
  readonly target: ResolvedEntity;
  readonly period: GivenPeriod;
}

const toShown = ({ entityId, entityType, displayName }: ResolvedEntity, created: boolean) => ({
  entity_id: entityId,
  entity_type: entityType,
  name: displayName,
  created,
});

type Snapshot = Readonly<Record<string, Json>>;

/** Now if the fact holds now, otherwise when it begins. `known`: its row, if nothing was written since it was read. */
function* stateFor(
  db: Reader,
  deps: SchemaDeps,
  entityId: string,
  at: number | undefined,
  known?: EntityRow,
): Work<ReducedState & { readonly snapshot: Snapshot }> {
  if (at === undefined) {
    const root = known?.root_id === entityId ? known : (yield* expectRoot(db, entityId)).root;
    const { state, schema } = yield* currentState(db, deps, root);
    return { state, schema, snapshot: toStateView(state, schema).snapshot };
  }
  const { state, schema } = yield* stateAt(db, deps, entityId, { at }, 'empty');
  return { state, schema, snapshot: toStateView(state, schema).snapshot };
}

function compare(before: Snapshot, after: Snapshot): FactAnswer['changes'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((field) => {
    const [old, now] = [before[field], after[field]];
    const isSame = old !== undefined && now !== undefined && canonicalJson(old) === canonicalJson(now);
    if (isSame) return [];
    return { field, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) };
  });
}

const shownPeriod = ({ effectiveAt, effectiveUntil, atChars, untilChars }: GivenPeriod) => ({
  ...(effectiveAt === undefined ? {} : { effective_at: showTime(effectiveAt, atChars) }),
  ...(effectiveUntil === null ? {} : { effective_until: showTime(effectiveUntil, untilChars) }),
});

export interface FactsDeps extends Pick<TruthDeps, 'storage' | 'ids'>, SchemaDeps {}

export type Facts = ReturnType<typeof createFacts>;

export function createFacts(deps: FactsDeps) {
  const { storage, ids, schemas } = deps;

  function* resolveAll(db: Reader, { subject, entity_id, relations = [] }: FactInput, period: GivenPeriod) {
    const types = new Map<string, string>();
    for (const [i, { type }] of relations.entries()) {
      if (types.has(type)) continue;
      const [known] = yield* expectTypes(db, [type], `relations[${i}].type`);
      types.set(type, known!);
    }
    const [first, ...targets] = yield* resolveEntities(db, [
      subject === undefined ? { given: entity_id!, field: 'entity_id' } : { given: subject, field: 'subject' },
      ...relations.map(({ to }, i) => ({ given: to, field: `relations[${i}].to` })),
    ]);
    const resolved = relations.map((given, i): ResolvedRelation => {
      const hasOwnTimes = given.effective_at !== undefined || given.effective_until !== undefined;
      const when = hasOwnTimes ? readPeriod(given) : period;
      return { type: types.get(given.type)!, target: targets[i]!, period: when };
    });
    return { subject: first!, relations: resolved };
  }

  function* draftAll(
    db: Reader,
    input: FactInput,
    subject: ResolvedEntity,
    relations: readonly ResolvedRelation[],
    period: GivenPeriod,
  ): Work<readonly ObservationDraft[]> {
    const { fields = {}, ended = [] } = input;
    const introduced = [subject, ...relations.map(({ target }) => target).filter(({ isKnown }) => !isKnown)];
    const active = yield* schemas.activeOf(db, [...new Set(introduced.map(({ entityType }) => entityType))]);
    const introduction = (entity: ResolvedEntity) => introduce(entity, active.get(entity.entityType)!);
    const drafts: ObservationDraft[] = [];
    // Nothing is said about a known subject that only gets relations.
    const saysMore = Object.keys(fields).length + ended.length > 0;
    const since = knownSince([period, ...relations.map((one) => one.period)], db.now);
    if (subject.isKnown) {
      if (saysMore) drafts.push(toDraft(subject, 'self', fields, { ended }));
    } else if (!saysMore) drafts.push(toDraft(subject, 'self', introduction(subject), { period: since }));
    else if ((since.effectiveAt ?? db.now) === (period.effectiveAt ?? db.now) && period.effectiveUntil === null) {
      drafts.push(toDraft(subject, 'self', { ...introduction(subject), ...fields }, { ended }));
    } else {
      drafts.push(toDraft(subject, 'self', fields, { ended }));
      drafts.push(toDraft(subject, 'name', introduction(subject), { period: since }));
    }
    for (const [i, { target }] of relations.entries()) {
      if (target.isKnown || drafts.some(({ entityId }) => entityId === target.entityId)) continue;
      const periods = relations.filter((one) => one.target.entityId === target.entityId).map((one) => one.period);
      const own = { period: knownSince(periods, db.now) };
      drafts.push(toDraft(target, `relations[${i}]`, introduction(target), own));
    }
    return drafts;
  }

  function* write(db: Writer, input: FactInput, bodyText: string, call: Call, uuids: readonly [string, string]) {
    const period = readPeriod(input);
    const { subject, relations } = yield* resolveAll(db, input, period);
    const { ended = [], source } = input;
    for (const field of ended) {
      if (subject.isKnown && (yield* wasStated(db, subject.entityId, field))) continue;
      throw refuse(`${field} cannot end: nothing was ever stated about it`, 'ended');
    }
    const completed = completePeriod(period, db.now);
    const { effectiveAt, effectiveUntil } = completed;
    const holdsNow = effectiveAt <= db.now && (effectiveUntil ?? db.now + 1) > db.now;
    const at = holdsNow ? undefined : effectiveAt;
    const before = subject.isKnown ? (yield* stateFor(db, deps, subject.entityId, at, subject.row)).snapshot : {};
    const drafts = yield* draftAll(db, input, subject, relations, period);
    const body = JSON.parse(bodyText) as Body;
    const refs = source === undefined ? [] : [source.trim()];
    const row = {
      payload_id: uuids[0],
      content_id: contentIdOf(factCapability, { body, sourceRefs: refs, extractorVersion }),
      submission_id: `sub_${uuids[1]}`,
      capability_id: factCapability.capability_id,
      primary_type: factCapability.primary_type,
      entity_id: subject.entityId,
      extracted_at: db.now,
      extractor_version: extractorVersion,
      agent_id: call.actor,
      client_request_id: null,
      source_refs: JSON.stringify(refs),
      file_urls: '[]',
      body: bodyText,
    };
    const given = { row, drafts, period, priority: factPriority, actor: call.actor };
    const [result] = yield* writeSubmissions(db, deps, [given]);
    const { submissionId, payloadId } = result!;
    const stated = yield* stateEdges(
      db,
      subject.entityId,
      relations.map(({ type, target, period: when }) => ({
        type,
        targetId: target.entityId,
        effective: {
          at: when.effectiveAt,
          atChars: when.effectiveAt === undefined ? undefined : (when.atChars ?? 24),
          until: when.effectiveUntil ?? undefined,
          untilChars: when.untilChars,
        },
        source: { kind: 'payload', id: payloadId, submissionId },
        actor: call.actor,
      })),
    );
    const edges = relations.map(({ type, target, period: when }, i) => ({
      relationship_id: stated[i]!.relationship_id,
      type,
      to: toShown(target, !target.isKnown),
      created: stated[i]!.created,
      ...shownPeriod(when),
    }));
    const after = yield* stateFor(db, deps, subject.entityId, at);
    const changes = compare(before, after.snapshot);
    const overruled = findOverruled(after.state, after.schema, {
      observationIds: new Set(result!.written.map(({ observationId }) => observationId)),
      effectiveAt,
      priority: factPriority,
      fields: input.fields ?? {},
      ended,
    });
    const schema = yield* schemas.active(db, subject.entityType);
    const review = reviewStatement(schema, noKey, input.fields ?? {});
    const raw = rawRemarks(schema, review);
    const saysMore = Object.keys(input.fields ?? {}).length + ended.length > 0;
    const outcome = {
      period: completed,
      now: db.now,
      holdsNow: holdsNow || !saysMore,
      hasEffect: changes.length + edges.length > 0 || !subject.isKnown,
      overruled,
      rawHint: raw.raw_hint,
    };
    return {
      ...toShown(subject, !subject.isKnown),
      submission_id: submissionId,
      changes,
      ...(at === undefined || changes.length === 0 ? {} : { changes_at: showMoment(at) }),
      ...(overruled.length === 0 ? {} : { overruled }),
      ...shownPeriod(period),
      ...(edges.length === 0 ? {} : { relations: edges }),
      ...review,
      ...(raw.raw_fields === undefined ? {} : { raw_fields: raw.raw_fields }),
      ...(yield* findPossibleDuplicates(db, result!.written)),
      ...openedBy(result!.written),
      ...forgottenIn(result!.written),
      message: describeOutcome(outcome),
    };
  }

  return {
    retract: createRetraction(deps),
    restore: createRestoration(deps),
    /** Everything or nothing. */
    store(input: FactInput, call: Call): Promise<FactAnswer> {
      checkInput(input);
      const { subject, entity_id, fields, relations, ended } = input;
      const body = { subject, entity_id, fields, relations, ended };
      checkText(body);
      const bodyText = checkBody(body);
      readPeriod(input);
      const uuids = [ids.uuid(), ids.uuid()] as const;
      return storage.write(call, (db) => write(db, input, bodyText, call, uuids));
    },
  };
}
