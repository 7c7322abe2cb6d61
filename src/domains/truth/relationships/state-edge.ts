import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { findRoots } from '../entities/entity-store.ts';
import { truthFaults } from '../truth-faults.ts';
import { truthLimits } from '../truth-limits.ts';
import { relationshipTopic } from '../truth-vocabulary.ts';
import { closesCycle } from './find-cycle.ts';
import { relationshipIdOf } from './relationship-id.ts';
import { type Edge, toEdge } from './relationship-model.ts';
import { type EdgeRow, findEdge, findEdges, insertEdges, setShownPeriod } from './relationship-store.ts';
import { findAcyclic } from './relationship-types/relationship-types.ts';
import { historyOf, replacementsOf, shownOf, toStatement } from './statements/edge-history.ts';
import {
  edgePhases,
  type Period,
  planPeriods,
  type StatedPeriod,
  showPeriods,
  toPeriod,
} from './statements/periods.ts';
import {
  insertStatements,
  listStatements,
  type RecordedStatement,
  type StatementKind,
  type StatementRow,
  setReplacedAt,
} from './statements/statement-store.ts';

/** What a statement follows from. */
export interface EdgeSource {
  /** `call`: stated with a tool. */
  readonly kind: string;
  readonly id: string | null;
  readonly submissionId: string | null;
}

export const fromCall: EdgeSource = { kind: 'call', id: null, submissionId: null };

export interface EdgeStatement {
  /** Known and normalised: see `expectTypes`. */
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly effective?: StatedPeriod | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly source: EdgeSource;
  readonly actor: string;
}

export interface StatedEdge {
  readonly relationship_id: string;
  readonly created: boolean;
  readonly statement_added: boolean;
  /** It was deleted before. */
  readonly restored: boolean;
  /** Absent if it is new. */
  readonly before?: Edge;
  /** With the period that was stated, or else that of now. */
  readonly after: Edge;
}

/** `ends` are roots. */
function* checkCycle(db: Writer, type: string, source: string, target: string): Work<void> {
  if (source === target) {
    throw truthFaults.CYCLE_DETECTED({ why: 'The edge would lead from an entity to itself' });
  }
  if (!(yield* findAcyclic(db, [type])).has(type)) return;
  if (yield* closesCycle(db, type, source, target)) {
    throw truthFaults.CYCLE_DETECTED({ why: `${type} edges already lead from the target to the source` });
  }
}

export interface StatementFields {
  readonly source: EdgeSource;
  readonly actor: string;
  readonly reason?: string | undefined;
}

export const toStatementRow = (
  db: Writer,
  relationshipId: string,
  kind: StatementKind,
  period: Period,
  position: number,
  { source, actor, reason }: StatementFields,
): StatementRow =>
  toStatement({
    relationship_id: relationshipId,
    kind,
    position,
    source_kind: source.kind,
    source_id: source.id,
    submission_id: source.submissionId,
    effective_at: period.effective_at,
    effective_until: period.effective_until,
    at_chars: period.at_chars,
    until_chars: period.until_chars,
    metadata: period.metadata,
    reason: reason ?? null,
    actor,
    created_at: db.now,
  });

const hashOf = (edge: Edge): string => sha256Hex(canonicalJson({ ...edge }));

/** Records new statements of an edge, marks those that they replace, and updates the edge. */
export function* addStatements(
  db: Writer,
  edge: EdgeRow,
  known: readonly RecordedStatement[],
  added: readonly StatementRow[],
): Work<{ readonly row: EdgeRow; readonly all: readonly RecordedStatement[] }> {
  const { statementsCount } = truthLimits;
  if (known.length + added.length > statementsCount) {
    throw faults.RESOURCE_LIMIT({
      what: 'The history of the relationship',
      limit: statementsCount,
      unit: 'statements',
    });
  }
  yield* insertStatements(db, added);
  const replaced = replacementsOf([...known, ...added]);
  for (const one of known) {
    const replacedAt = replaced.get(one) ?? null;
    if (replacedAt !== one.replaced_at) yield* setReplacedAt(db, one, replacedAt);
  }
  const all = [...known, ...added].map((one) => ({ ...one, replaced_at: replaced.get(one) ?? null }));
  const row = { ...edge, ...shownOf(all, db.now) };
  yield* setShownPeriod(db, row);
  return { row, all };
}

/** The number of statements of this edge at this time; a transaction may make several. */
export const nextPosition = (db: Writer, known: readonly StatementRow[]): number =>
  known.filter(({ created_at }) => created_at === db.now).length;

/** The edges of one write, as they are after its statements so far. */
interface EdgesOfWrite {
  readonly rows: Map<string, EdgeRow>;
  readonly statements: Map<string, readonly RecordedStatement[]>;
  /** Empty if no edge is new. */
  readonly rootOf: ReadonlyMap<string, string>;
  /** Inserted together, because a fact can state many edges. */
  readonly created: { readonly row: EdgeRow; readonly first: StatementRow }[];
}

function* insertCreated(db: Writer, { created }: EdgesOfWrite): Work<void> {
  const some = created.splice(0);
  if (some.length === 0) return;
  const rows = some.map(({ row }) => row);
  if ((yield* insertEdges(db, rows)) < rows.length) throw new Error('bug: an edge was created twice');
  yield* insertStatements(
    db,
    some.map(({ first }) => first),
  );
}

const expectRootOf = ({ rootOf }: EdgesOfWrite, entityId: string, field: string): string => {
  const root = rootOf.get(entityId);
  if (root === undefined) throw truthFaults.ENTITY_NOT_FOUND({}, { field });
  return root;
};

function* createEdge(db: Writer, edges: EdgesOfWrite, id: string, statement: EdgeStatement): Work<StatedEdge> {
  const { type, sourceId, targetId, effective = {}, metadata } = statement;
  const [period] = planPeriods([], effective, metadata === undefined ? undefined : canonicalJson(metadata), db.now);
  const source_root_id = expectRootOf(edges, sourceId, 'source_entity_id');
  const target_root_id = expectRootOf(edges, targetId, 'target_entity_id');
  // Edges of this write lead away from the same source, so that they cannot close a cycle with each other.
  yield* checkCycle(db, type, source_root_id, target_root_id);
  const first = toStatementRow(db, id, 'state', period!, 0, statement);
  const row: EdgeRow = {
    relationship_id: id,
    relationship_type: type,
    ...{ source_entity_id: sourceId, target_entity_id: targetId, source_root_id, target_root_id },
    created_at: db.now,
    ...showPeriods([first], false, db.now),
  };
  edges.created.push({ row, first });
  edges.rows.set(id, row);
  edges.statements.set(id, [{ ...first, replaced_at: null }]);
  const after = toEdge(row);
  yield* db.changed(relationshipTopic, id, 'create', hashOf(after));
  return { relationship_id: id, created: true, statement_added: true, restored: false, after };
}

function* stateKnownEdge(db: Writer, edges: EdgesOfWrite, edge: EdgeRow, statement: EdgeStatement): Work<StatedEdge> {
  const { relationship_id: id } = edge;
  const { effective = {}, metadata } = statement;
  const known = edges.statements.get(id) ?? [];
  const { periods, isDeleted } = historyOf(known);
  const text = metadata === undefined ? undefined : canonicalJson(metadata);
  const planned = planPeriods(periods, effective, text, db.now);
  const before = toEdge(edge);
  const isHidden = edge.phase === edgePhases.deleted;
  if (planned.length === 0 && !isHidden) {
    return { relationship_id: id, created: false, statement_added: false, restored: false, before, after: before };
  }
  if (isHidden) yield* checkRestored(db, edge);
  const place = nextPosition(db, known);
  const restored = isDeleted ? [toStatementRow(db, id, 'restore', edge, place, statement)] : [];
  const states = planned.map((period, i) =>
    toStatementRow(db, id, 'state', period, place + restored.length + i, statement),
  );
  yield* insertCreated(db, edges);
  const { row, all } = yield* addStatements(db, edge, known, [...restored, ...states]);
  edges.rows.set(id, row);
  edges.statements.set(id, all);
  const last = states.at(-1);
  const after = toEdge(last === undefined ? row : { ...row, ...toPeriod(last) });
  yield* db.changed(relationshipTopic, id, 'update', hashOf(after));
  return { relationship_id: id, created: false, statement_added: true, restored: isHidden, before, after };
}

/**
 * States that edges hold which lead away from one entity. Creates those that are new, restores deleted ones, and adds
 * nothing to one that already is as stated. Runs in the transaction of the caller, which has checked the types.
 */
export function* stateEdges(
  db: Writer,
  sourceId: string,
  given: readonly Omit<EdgeStatement, 'sourceId'>[],
): Work<readonly StatedEdge[]> {
  if (given.length === 0) return [];
  const ids = given.map(({ type, targetId }) => relationshipIdOf(type, sourceId, targetId));
  const found = yield* findEdges(db, [...new Set(ids)]);
  const foundIds = found.map(({ relationship_id }) => relationship_id);
  const statements = foundIds.length === 0 ? [] : yield* listStatements(db, foundIds);
  const hasNew = ids.some((id) => !foundIds.includes(id));
  const ends = new Set([sourceId, ...given.map(({ targetId }) => targetId)]);
  const roots = hasNew ? yield* findRoots(db, [...ends]) : [];
  const edges: EdgesOfWrite = {
    rows: new Map(found.map((row) => [row.relationship_id, row])),
    statements: Map.groupBy(statements, ({ relationship_id }) => relationship_id),
    rootOf: new Map(roots.map(({ entity_id, root_id }) => [entity_id, root_id])),
    created: [],
  };
  const stated: StatedEdge[] = [];
  for (const [i, one] of given.entries()) {
    const statement = { ...one, sourceId };
    const edge = edges.rows.get(ids[i]!);
    stated.push(
      edge === undefined
        ? yield* createEdge(db, edges, ids[i]!, statement)
        : yield* stateKnownEdge(db, edges, edge, statement),
    );
  }
  yield* insertCreated(db, edges);
  return stated;
}

/** Edges inside a group are hidden and cannot be part of a cycle. */
function* checkRestored(db: Writer, { relationship_type, source_root_id, target_root_id }: EdgeRow): Work<void> {
  if (source_root_id !== target_root_id) yield* checkCycle(db, relationship_type, source_root_id, target_root_id);
}

function* expectEdge(db: Writer, relationshipId: string): Work<EdgeRow> {
  const edge = yield* findEdge(db, relationshipId);
  if (edge !== undefined) return edge;
  throw faults.NOT_FOUND(
    { what: 'relationship; list_relationships shows the ids of an entity’s relationships' },
    {
      field: 'relationship_id',
      fix: 'list_relationships {"entity_id": "ent_…"} shows the ids of an entity’s relationships.',
    },
  );
}

const nothingLeft = () =>
  faults.VALIDATION_ERROR(
    {
      why: 'Everything that was stated about this relationship was retracted; state it again with create_relationship',
    },
    { field: 'relationship_id', fix: 'State it again with create_relationship.' },
  );

export interface EdgeChange {
  readonly edge: Edge;
  /** False if it was so before. */
  readonly changed: boolean;
}

/** Deletes or restores an edge; its periods stay. */
export function* markEdge(
  db: Writer,
  relationshipId: string,
  kind: 'delete' | 'restore',
  fields: StatementFields,
): Work<EdgeChange> {
  const edge = yield* expectEdge(db, relationshipId);
  const isHidden = edge.phase === edgePhases.deleted;
  if (isHidden === (kind === 'delete')) return { edge: toEdge(edge), changed: false };
  const known = yield* listStatements(db, [relationshipId]);
  const { isDeleted, periods } = historyOf(known);
  if (kind === 'restore') {
    if (!isDeleted || periods.length === 0) throw nothingLeft();
    yield* checkRestored(db, edge);
  }
  const statement = toStatementRow(db, relationshipId, kind, edge, nextPosition(db, known), fields);
  const shown = toEdge((yield* addStatements(db, edge, known, [statement])).row);
  yield* db.changed(relationshipTopic, relationshipId, kind === 'delete' ? 'delete' : 'update', hashOf(shown));
  return { edge: shown, changed: true };
}
