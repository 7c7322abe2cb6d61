import type { Json } from '#kernel/json/canonical.ts';
import type { Oracle } from './oracle.fixture.ts';
import type { OracleEdge } from './oracle-graph.fixture.ts';
import { type FieldResult, rawOf, reduce } from './oracle-reduce.fixture.ts';
import { canonical, type Fields, type Statement } from './oracle-rules.fixture.ts';
import { iso } from './oracle-time.fixture.ts';

const newestFirst = (a: Statement, b: Statement): number => b.observedAt - a.observedAt || (a.id < b.id ? -1 : 1);
export interface Moment {
  readonly at?: number | undefined;
  readonly knownAt?: number | undefined;
}

const fromEntries = <T>(won: ReadonlyMap<string, FieldResult>, show: (one: FieldResult) => T) =>
  Object.fromEntries([...won].map(([name, one]) => [name, show(one)]));

/** [TR18] Undefined if nothing was known that held then. */
export function snapshotOf(oracle: Oracle, id: string, now: number, { at, knownAt }: Moment = {}) {
  const { rules } = oracle;
  const entity = oracle.entities.find((one) => one.id === id);
  if (entity === undefined) return undefined;
  const root = oracle.rootOf(id, knownAt);
  const group = oracle.groupOf(root, knownAt);
  const all = oracle.statements.filter((one) => group.includes(one.entityId));
  // What was recorded about it holds already, also if the clock of its writer was ahead.
  const present = Math.max(now, ...all.map(({ createdAt }) => createdAt));
  const known = all.filter((one) => knownAt === undefined || rules.isKnownAt(one.createdAt, knownAt)).sort(newestFirst);
  const statements = known
    .filter((one) => rules.holdsAt(one, at ?? present))
    .filter(
      (one) => !rules.isRetractedAt(oracle.retractions.get(one.submissionId), knownAt ?? Number.MAX_SAFE_INTEGER),
    );
  // Without a time the entity is shown even if nothing holds now, and all its statements count.
  const isNow = at === undefined && knownAt === undefined;
  const counted = isNow ? known : statements;
  if (counted.length === 0) return undefined;
  const schema = oracle.schemaOf(entity.type, knownAt);
  const won = reduce(statements, schema, rules);
  const raw = rawOf(statements, schema, rules);
  return {
    entity_id: root,
    entity_type: entity.type,
    schema_version: schema.version,
    snapshot: fromEntries(won, ({ value }) => value),
    provenance: fromEntries(won, ({ contributors }) => contributors[0]!.id),
    provenance_all: fromEntries(won, ({ contributors }) => contributors.map((one) => one.id)),
    computed_at: iso(Math.max(...counted.map(({ createdAt }) => createdAt))),
    observation_count: counted.length,
    last_observation_at: iso(counted[0]!.observedAt),
    ...(root === id ? {} : { redirected_from: id }),
    ...(Object.keys(raw).length === 0 ? {} : { raw_fragments: raw }),
  };
}

const shownMomentsCount = 3;
const shownChangesCount = 5;

/** [TR103] What changes by itself at the next moments at which a statement begins or ends. */
export function upcomingOf(oracle: Oracle, id: string, now: number): readonly object[] {
  const group = oracle.groupOf(oracle.rootOf(id));
  const all = oracle.statements.filter((one) => group.includes(one.entityId));
  const present = Math.max(now, ...all.map(({ createdAt }) => createdAt));
  const moments = all
    .filter(({ submissionId }) => !oracle.retractions.has(submissionId))
    .flatMap(({ effectiveAt, effectiveUntil = effectiveAt }) => [effectiveAt, effectiveUntil])
    .filter((moment) => moment > present);
  const shown = [...new Set(moments)].sort((a, b) => a - b).slice(0, shownMomentsCount);
  function fieldsAt(at: number): Fields {
    const then = snapshotOf(oracle, id, now, { at });
    return { ...then?.raw_fragments, ...then?.snapshot };
  }
  const changes = shown.flatMap((at, i) => {
    const [before, after] = [fieldsAt(shown[i - 1] ?? present), fieldsAt(at)];
    return changedNames(before, after).map((field) => {
      const value = after[field];
      const from = iso(at).replace('T00:00:00.000Z', '');
      return value === undefined ? { field, from } : { field, value: newIn(before[field], value), from };
    });
  });
  return changes.slice(0, shownChangesCount);
}

/** Of a list, what is new in it. */
function newIn(before: Json | undefined, after: Json): Json {
  if (!Array.isArray(before) || !Array.isArray(after)) return after;
  const known = new Set((before as readonly Json[]).map((one) => canonical(one)));
  const added = (after as readonly Json[]).filter((one) => !known.has(canonical(one)));
  return added.length === 0 ? (after as readonly Json[]) : added;
}

function timesOf({ retractions }: Oracle, { effectiveTexts: [at, until], submissionId }: Statement) {
  const retractedAt = retractions.get(submissionId);
  return {
    effective_at: at,
    ...(until === undefined ? {} : { effective_until: until }),
    ...(retractedAt === undefined ? {} : { retracted_at: iso(retractedAt) }),
  };
}

export function observationsOf(oracle: Oracle, id: string): readonly object[] {
  const group = oracle.groupOf(oracle.rootOf(id));
  return oracle.statements
    .filter((one) => group.includes(one.entityId))
    .sort(newestFirst)
    .map((one) => ({
      id: one.id,
      entity_id: one.entityId,
      entity_type: one.entityType,
      schema_version: one.schemaVersion,
      source_kind: one.kind,
      source_record_id: one.sourceId,
      ...(one.kind === 'payload' ? { source_payload_id: one.sourceId } : {}),
      role: one.role,
      submission_id: one.submissionId,
      observed_at: iso(one.observedAt),
      ...timesOf(oracle, one),
      specificity_score: one.specificity,
      source_priority: one.priority,
      fields: one.fields,
      raw_fragments: one.raw,
      ...(one.ended.length > 0 ? { ended: one.ended } : {}),
      ...(one.untilNewer ? { until_newer: true } : {}),
      created_at: iso(one.createdAt),
    }));
}

/** [TR15] Undefined if the snapshot lacks the field. */
export function provenanceOf(oracle: Oracle, id: string, field: string, now: number): object | undefined {
  const shown = snapshotOf(oracle, id, now);
  const ids = shown?.provenance_all[field];
  if (shown === undefined || ids === undefined) return undefined;
  const contributors = ids.map((one) => oracle.statements.find((statement) => statement.id === one)!);
  const sourceOf = ({ kind, sourceId }: Statement) => {
    const reason = oracle.reasons.get(sourceId);
    const payload = oracle.payloads.find(({ payloadId }) => payloadId === sourceId);
    const answer = reason === undefined ? {} : { reason };
    return { id: sourceId, type: kind === 'correction' ? kind : payload?.type, ...answer };
  };
  const [winner, ...others] = contributors;
  return {
    entity_id: shown.entity_id,
    field,
    value: shown.snapshot[field],
    source_observation: {
      ...{ id: winner!.id, source_record_id: winner!.sourceId, role: winner!.role, ...timesOf(oracle, winner!) },
      ...(winner!.kind === 'payload' ? { submission_id: winner!.submissionId } : {}),
    },
    source_record: sourceOf(winner!),
    observed_at: iso(winner!.observedAt),
    contributing_observations: others.map((one) => ({ id: one.id, source_record: sourceOf(one) })),
    contributing_total: contributors.length,
  };
}

const changeOf = (field: string, before: Json | undefined, after: Json | undefined) => ({
  field,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

const changedNames = (before: Fields, after: Fields): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter((name) => canonical(before[name]) !== canonical(after[name]));

/** The fields in which two snapshots differ. */
export const changesOf = (before: Fields, after: Fields): readonly object[] =>
  changedNames(before, after).map((name) => changeOf(name, before[name], after[name]));

const newestEdgeFirst = (a: OracleEdge, b: OracleEdge): number => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1);

/** If it does not hold: the next period, else the one that ended last. */
function nearestPeriod(oracle: Oracle, edge: OracleEdge, at: number, knownAt: number | undefined) {
  const periods = oracle.periodsOf(edge, knownAt);
  const later = periods.filter(({ start }) => start > at).sort((a, b) => a.start - b.start);
  const earlier = periods.filter(({ start }) => start <= at).sort((a, b) => b.until! - a.until! || b.start - a.start);
  return later[0] ?? earlier[0];
}

/** [TR23] */
export function relationshipsOf(
  oracle: Oracle,
  id: string,
  direction: string,
  now: number,
  { at = now, knownAt }: Moment = {},
  withEnded = false,
): readonly object[] {
  const root = oracle.rootOf(id, knownAt);
  return [...oracle.edges]
    .sort(newestEdgeFirst)
    .filter((edge) => !oracle.isDeleted(edge, knownAt))
    .flatMap((edge) => {
      const current = oracle.periodAt(edge, at, knownAt);
      const shown = current ?? (withEnded ? nearestPeriod(oracle, edge, at, knownAt) : undefined);
      if (shown === undefined) return [];
      const [source, target] = [oracle.rootOf(edge.source, knownAt), oracle.rootOf(edge.target, knownAt)];
      return [{ edge, shown, source, target, isCurrent: current !== undefined }];
    })
    .filter(({ source, target }) => source !== target)
    .filter(
      ({ source, target }) =>
        (direction !== 'inbound' && source === root) || (direction !== 'outbound' && target === root),
    )
    .map(({ edge, shown, source, target, isCurrent }) => ({
      id: edge.id,
      relationship_type: edge.type,
      source_entity_id: source,
      target_entity_id: target,
      ...shown.texts,
      created_at: iso(edge.createdAt),
      ...(source === edge.source ? {} : { source_redirected_from: edge.source }),
      ...(target === edge.target ? {} : { target_redirected_from: edge.target }),
      ...(withEnded ? { holds: isCurrent } : {}),
    }));
}

export function entitiesOf(oracle: Oracle, now: number, type?: string): readonly object[] {
  return oracle.entities
    .filter((entity) => oracle.parentOf(entity.id) === undefined && (type === undefined || entity.type === type))
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    .map((entity) => {
      const shown = snapshotOf(oracle, entity.id, now)!;
      return {
        entity_id: entity.id,
        entity_type: entity.type,
        canonical_name: entity.name,
        schema_version: shown.schema_version,
        observation_count: shown.observation_count,
        last_observation_at: shown.last_observation_at,
        created_at: iso(entity.createdAt),
        snapshot: shown.snapshot,
      };
    });
}

export interface EventFilter {
  readonly event_type?: string;
  readonly source_record_id?: string;
}

/** Unsorted: events of the same time are ordered by ids that only the program knows. */
export function eventsOf(oracle: Oracle, { event_type, source_record_id }: EventFilter): readonly object[] {
  return oracle.events
    .filter((event) => event_type === undefined || event.type === event_type)
    .filter(({ statement }) => source_record_id === undefined || statement.sourceId === source_record_id)
    .map(({ type, at, value, field, statement }) => ({
      event_type: type,
      event_timestamp: iso(at),
      entity_id: oracle.rootOf(statement.entityId),
      entity_type: statement.entityType,
      source_field: field,
      value,
      source_record_id: statement.sourceId,
      observation_id: statement.id,
      created_at: iso(statement.createdAt),
    }));
}
