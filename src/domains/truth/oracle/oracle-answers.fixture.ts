import type { Json } from '#kernel/json/canonical.ts';
import type { Oracle, OracleEdge } from './oracle.fixture.ts';
import { canonical, fitted, type OracleSchema, type Rules, type Statement } from './oracle-rules.fixture.ts';

const iso = (ms: number): string => new Date(ms).toISOString();
const newestFirst = (a: Statement, b: Statement): number => b.observedAt - a.observedAt || (a.id < b.id ? -1 : 1);
const sorted = (names: Iterable<string>): readonly string[] => [...new Set(names)].sort();

interface FieldResult {
  readonly value: Json;
  readonly contributors: readonly Statement[];
}

/** [TR10] The active schema may accept what an earlier one did not. */
const readOf = (one: Statement, name: string, schema: OracleSchema): Json | undefined =>
  fitted(schema.fields[name], one.fields[name]) ?? fitted(schema.fields[name], one.raw[name]);

function reduce(
  statements: readonly Statement[],
  schema: OracleSchema,
  rules: Rules,
): ReadonlyMap<string, FieldResult> {
  const won = new Map<string, FieldResult>();
  for (const name of sorted(Object.keys(schema.fields))) {
    const field = schema.fields[name]!;
    const ranked = statements
      .filter((one) => readOf(one, name, schema) !== undefined)
      .sort((a, b) => rules.byRank(field, a, b));
    const [first] = ranked;
    if (first === undefined) continue;
    const value = readOf(first, name, schema)!;
    if (!rules.isUnion(field)) {
      won.set(name, { value, contributors: [first] });
      continue;
    }
    const elements = new Map<string, { readonly element: Json; readonly by: Statement }>();
    // [TR14]
    for (const by of first.kind === 'correction' ? [first] : ranked) {
      for (const element of readOf(by, name, schema) as readonly Json[]) {
        if (element !== null && !elements.has(canonical(element))) elements.set(canonical(element), { element, by });
      }
    }
    const contributors = ranked.filter((one) => [...elements.values()].some(({ by }) => by === one));
    const union = sorted(elements.keys()).map((key) => elements.get(key)!.element);
    if (contributors.length > 0 || first.kind === 'correction')
      won.set(name, { value: union, contributors: contributors.length > 0 ? contributors : [first] });
  }
  return won;
}

/** The newest of each name, corrections first. */
function rawOf(statements: readonly Statement[], schema: OracleSchema): Readonly<Record<string, Json>> {
  const raw: Record<string, Json> = {};
  const isCorrection = (one: Statement): boolean => one.kind === 'correction';
  const ranked = [...statements.filter(isCorrection), ...statements.filter((one) => !isCorrection(one))];
  for (const one of ranked) {
    for (const [name, value] of Object.entries(one.raw)) {
      if (!Object.hasOwn(raw, name) && fitted(schema.fields[name], value) === undefined) raw[name] = value;
    }
  }
  return raw;
}

export interface Moment {
  readonly at?: number | undefined;
  readonly knownAt?: number | undefined;
}

const fromEntries = <T>(won: ReadonlyMap<string, FieldResult>, show: (one: FieldResult) => T) =>
  Object.fromEntries([...won].map(([name, one]) => [name, show(one)]));

/** [TR18] Undefined if nothing was known then. */
export function snapshotOf(oracle: Oracle, id: string, { at, knownAt }: Moment = {}) {
  const { rules } = oracle;
  const entity = oracle.entities.find((one) => one.id === id);
  if (entity === undefined) return undefined;
  const root = oracle.rootOf(id, knownAt);
  const group = oracle.groupOf(root, knownAt);
  const statements = oracle.statements
    .filter((one) => group.includes(one.entityId))
    .filter((one) => at === undefined || rules.isAtOrBefore(one.observedAt, at))
    .filter((one) => knownAt === undefined || rules.isAtOrBefore(one.createdAt, knownAt))
    .sort(newestFirst);
  if (statements.length === 0) return undefined;
  const schema = oracle.schemaOf(entity.type);
  const won = reduce(statements, schema, rules);
  const raw = rawOf(statements, schema);
  return {
    entity_id: root,
    entity_type: entity.type,
    schema_version: schema.version,
    snapshot: fromEntries(won, ({ value }) => value),
    provenance: fromEntries(won, ({ contributors }) => contributors[0]!.id),
    provenance_all: fromEntries(won, ({ contributors }) => contributors.map((one) => one.id)),
    computed_at: iso(Math.max(...statements.map(({ createdAt }) => createdAt))),
    observation_count: statements.length,
    last_observation_at: iso(statements[0]!.observedAt),
    ...(root === id ? {} : { redirected_from: id }),
    ...(Object.keys(raw).length === 0 ? {} : { raw_fragments: raw }),
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
      observed_at: iso(one.observedAt),
      specificity_score: one.specificity,
      source_priority: one.priority,
      fields: one.fields,
      raw_fragments: one.raw,
      created_at: iso(one.createdAt),
    }));
}

/** [TR15] Undefined if the snapshot lacks the field. */
export function provenanceOf(oracle: Oracle, id: string, field: string): object | undefined {
  const shown = snapshotOf(oracle, id);
  const ids = shown?.provenance_all[field];
  if (shown === undefined || ids === undefined) return undefined;
  const contributors = ids.map((one) => oracle.statements.find((statement) => statement.id === one)!);
  const sourceOf = ({ kind, sourceId }: Statement) => {
    const reason = oracle.reasons.get(sourceId);
    const payload = oracle.payloads.find(({ payloadId }) => payloadId === sourceId);
    const answer = reason === undefined ? {} : { reason };
    return { id: sourceId, type: kind === 'correction' ? kind : payload?.type, ...answer };
  };
  const [winner] = contributors;
  return {
    entity_id: shown.entity_id,
    field,
    value: shown.snapshot[field],
    source_observation: { id: winner!.id, source_record_id: winner!.sourceId, role: winner!.role },
    source_record: sourceOf(winner!),
    observed_at: iso(winner!.observedAt),
    contributing_observations: contributors.map((one) => ({ id: one.id, source_record: sourceOf(one) })),
    contributing_total: contributors.length,
  };
}

const newestEdgeFirst = (a: OracleEdge, b: OracleEdge): number => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1);

/** [TR23] */
export function relationshipsOf(oracle: Oracle, id: string, direction: string): readonly object[] {
  const root = oracle.rootOf(id);
  return [...oracle.edges]
    .sort(newestEdgeFirst)
    .map((edge) => ({ edge, source: oracle.rootOf(edge.source), target: oracle.rootOf(edge.target) }))
    .filter(({ source, target }) => source !== target)
    .filter(
      ({ source, target }) =>
        (direction !== 'inbound' && source === root) || (direction !== 'outbound' && target === root),
    )
    .map(({ edge, source, target }) => ({
      id: edge.id,
      relationship_type: edge.type,
      source_entity_id: source,
      target_entity_id: target,
      created_at: iso(edge.createdAt),
    }));
}

export function entitiesOf(oracle: Oracle, type?: string): readonly object[] {
  return oracle.entities
    .filter((entity) => oracle.parentOf(entity.id) === undefined && (type === undefined || entity.type === type))
    .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    .map((entity) => {
      const shown = snapshotOf(oracle, entity.id)!;
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
