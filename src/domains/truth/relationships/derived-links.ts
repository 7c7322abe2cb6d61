import { Fault } from '#kernel/fault/fault.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import type { Capability, ExtractRule } from '../capabilities/capability.ts';
import { findRoots } from '../entities/entity-store.ts';
import type { GivenPeriod } from '../observations/effective-time.ts';
import type { ObservationDraft } from '../observations/observation.ts';
import { closesCycle } from './find-cycle.ts';
import { relationshipIdOf } from './relationship-id.ts';
import { type EdgeRow, findEdges, insertEdges } from './relationship-store.ts';
import { findAcyclic } from './relationship-types/relationship-types.ts';
import { addStatements, type EdgeSource, nextPosition, toStatementRow } from './state-edge.ts';
import { historyOf } from './statements/edge-history.ts';
import { edgePhases, type Period, periodAt, showPeriods } from './statements/periods.ts';
import { insertStatements, listStatements, type StatementRow } from './statements/statement-store.ts';

/** An edge between two entities of a payload. */
export interface LinkDraft {
  readonly type: string;
  readonly sourceId: string;
  readonly targetId: string;
}

const isOfRule = ({ kind, field }: ExtractRule, role: string): boolean =>
  kind === 'field_value' ? role === field : role.startsWith(`${field}[`);

/** The edges between a payload's own entity, which comes first, and the others, as its capability defines them. */
export function linkDrafts(
  { extract }: Pick<Capability, 'extract'>,
  drafts: readonly Pick<ObservationDraft, 'role' | 'entityId'>[],
): readonly LinkDraft[] {
  const [own, ...others] = drafts;
  return others.flatMap(({ role, entityId }) => {
    const rule = extract.find((one) => isOfRule(one, role));
    if (rule?.link === undefined || own === undefined || own.entityId === entityId) return [];
    const [sourceId, targetId] =
      rule.link_direction === 'inbound' ? [entityId, own.entityId] : [own.entityId, entityId];
    return [{ type: rule.link, sourceId, targetId }];
  });
}

/** The links of one submission. */
export interface LinkSource {
  readonly links: readonly LinkDraft[];
  readonly source: EdgeSource;
  readonly period: GivenPeriod;
  readonly observedAt: number;
  readonly actor: string;
}

interface PlannedLink extends LinkDraft {
  readonly id: string;
  readonly from: LinkSource;
  readonly period: Period;
}

const momentChars = 24;

/** From the start of the statement on. Its end says how long the values hold, not who issued the document. */
function periodOf({ period: { effectiveAt, atChars = momentChars }, observedAt }: LinkSource, now: number): Period {
  const open = { effective_until: null, until_chars: 0, metadata: null };
  return effectiveAt === undefined
    ? { effective_at: Math.min(observedAt, now), at_chars: 0, ...open }
    : { effective_at: effectiveAt, at_chars: atChars, ...open };
}

/** Each edge once, the first of several. */
function planLinks(sources: readonly LinkSource[], now: number): readonly PlannedLink[] {
  const planned = new Map<string, PlannedLink>();
  for (const from of sources) {
    for (const link of from.links) {
      const id = relationshipIdOf(link.type, link.sourceId, link.targetId);
      if (!planned.has(id)) planned.set(id, { ...link, id, from, period: periodOf(from, now) });
    }
  }
  return [...planned.values()];
}

/** A payload never fails because of an edge that follows from it: such an edge is left out. */
function* isFree(db: Writer, type: string, source: string, target: string): Work<boolean> {
  try {
    return !(yield* closesCycle(db, type, source, target));
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

interface NewLink {
  readonly row: EdgeRow;
  readonly first: StatementRow;
}

function* insertLinks(db: Writer, links: readonly NewLink[]): Work<void> {
  yield* insertEdges(
    db,
    links.map(({ row }) => row),
  );
  yield* insertStatements(
    db,
    links.map(({ first }) => first),
  );
}

function toNewLink(
  db: Writer,
  { id, type, sourceId, targetId, from, period }: PlannedLink,
  roots: readonly [string, string],
): NewLink {
  const first = toStatementRow(db, id, 'state', period, 0, from);
  const row: EdgeRow = {
    relationship_id: id,
    relationship_type: type,
    source_entity_id: sourceId,
    target_entity_id: targetId,
    source_root_id: roots[0],
    target_root_id: roots[1],
    created_at: db.now,
    ...showPeriods([first], false, db.now),
  };
  return { row, first };
}

function* createLinks(db: Writer, planned: readonly PlannedLink[]): Work<void> {
  const ends = new Set(planned.flatMap(({ sourceId, targetId }) => [sourceId, targetId]));
  const rootOf = new Map((yield* findRoots(db, [...ends])).map(({ entity_id, root_id }) => [entity_id, root_id]));
  const acyclic = yield* findAcyclic(db, [...new Set(planned.map(({ type }) => type))]);
  const together: NewLink[] = [];
  for (const link of planned) {
    const [source, target] = [rootOf.get(link.sourceId)!, rootOf.get(link.targetId)!];
    if (source === target) continue;
    const created = toNewLink(db, link, [source, target]);
    if (!acyclic.has(link.type)) together.push(created);
    // One by one: two of them can close a cycle.
    else if (yield* isFree(db, link.type, source, target)) yield* insertLinks(db, [created]);
  }
  yield* insertLinks(db, together);
}

const coversStart = ({ effective_at, effective_until }: EdgeRow, at: number): boolean =>
  effective_at <= at && (effective_until === null || effective_until > at);

/** Whether an edge whose statements are all retracted would close a cycle if it came back. */
function* canReturn(db: Writer, edge: EdgeRow): Work<boolean> {
  const { relationship_type: type, source_root_id: source, target_root_id: target } = edge;
  if (source === target || !(yield* findAcyclic(db, [type])).has(type)) return true;
  return yield* isFree(db, type, source, target);
}

/** Adds a period that a document proves, such as an earlier start. A deleted edge stays deleted. */
function* extendLink(db: Writer, edge: EdgeRow, { id, from, period }: PlannedLink): Work<void> {
  const isGone = edge.phase === edgePhases.deleted;
  if (!isGone && coversStart(edge, period.effective_at)) return;
  const known = yield* listStatements(db, [id]);
  const { periods, isDeleted } = historyOf(known);
  if (isDeleted || periodAt(periods, period.effective_at) !== undefined) return;
  if (isGone && !(yield* canReturn(db, edge))) return;
  // The history may be full.
  try {
    yield* addStatements(db, edge, known, [toStatementRow(db, id, 'state', period, nextPosition(db, known), from)]);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
  }
}

/**
 * Records the edges that follow from submissions. The audit row of a submission covers them, as it covers its
 * observations.
 */
export function* writeLinks(db: Writer, sources: readonly LinkSource[]): Work<void> {
  const planned = planLinks(sources, db.now);
  if (planned.length === 0) return;
  const edges = yield* findEdges(
    db,
    planned.map(({ id }) => id),
  );
  const edgeOf = new Map(edges.map((edge) => [edge.relationship_id, edge]));
  const fresh = planned.filter(({ id }) => !edgeOf.has(id));
  if (fresh.length > 0) yield* createLinks(db, fresh);
  for (const link of planned) {
    const edge = edgeOf.get(link.id);
    if (edge !== undefined) yield* extendLink(db, edge, link);
  }
}
