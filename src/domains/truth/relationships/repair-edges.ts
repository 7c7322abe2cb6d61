import type { Work, Writer } from '#kernel/storage/port.ts';
import { truthLimits } from '../truth-limits.ts';
import { type EdgeRow, findEdges, listAllEdges, setShownPeriod } from './relationship-store.ts';
import { replacementsOf, shownOf, toStatement } from './statements/edge-history.ts';
import type { ShownPeriod } from './statements/periods.ts';
import {
  insertStatements,
  listStatements,
  type RecordedStatement,
  type StatementRow,
  setReplacedAt,
} from './statements/statement-store.ts';

/** An edge of an older export has no statement: it holds since it was created. */
const firstStatementOf = (edge: EdgeRow): StatementRow =>
  toStatement({
    relationship_id: edge.relationship_id,
    kind: 'state',
    position: 0,
    ...{ source_kind: 'call', source_id: null, submission_id: null },
    ...{ effective_at: edge.created_at, effective_until: null, at_chars: 0, until_chars: 0, metadata: edge.metadata },
    reason: null,
    actor: '',
    created_at: edge.created_at,
  });

const isSame = (edge: EdgeRow, right: ShownPeriod): boolean =>
  Object.entries(right).every(([name, value]) => edge[name as keyof ShownPeriod] === value);

/** The row of an edge whose next change has come is not wrong: its statements are read instead. */
const isDue = ({ next_change_at }: EdgeRow, now: number): boolean => next_change_at !== null && next_change_at <= now;

function* repairEdge(db: Writer, edge: EdgeRow, statements: readonly RecordedStatement[]): Work<boolean> {
  let isRight = true;
  const replaced = replacementsOf(statements);
  for (const one of statements) {
    const replacedAt = replaced.get(one) ?? null;
    if (replacedAt === one.replaced_at) continue;
    yield* setReplacedAt(db, one, replacedAt);
    isRight = false;
  }
  const current = statements.map((one) => ({ ...one, replaced_at: replaced.get(one) ?? null }));
  const right = shownOf(current, db.now);
  if (isSame(edge, right)) return isRight;
  yield* setShownPeriod(db, { ...edge, ...right });
  return isRight && isDue(edge, db.now);
}

export interface EdgesPart {
  /** Undefined at the end. */
  readonly last: string | undefined;
  readonly missing: number;
  readonly differing: number;
}

/** Computes the columns of the next edges from their statements, and repairs differences. */
export function* repairEdges(db: Writer, after: string): Work<EdgesPart> {
  const edges = yield* listAllEdges(db, after, truthLimits.rebuildEdgesCount);
  if (edges.length === 0) return { last: undefined, missing: 0, differing: 0 };
  const ids = edges.map(({ relationship_id }) => relationship_id);
  const statements: readonly RecordedStatement[] = yield* listStatements(db, ids);
  const byEdge = Map.groupBy(statements, ({ relationship_id }) => relationship_id);
  const firsts = edges.filter(({ relationship_id }) => !byEdge.has(relationship_id)).map(firstStatementOf);
  yield* insertStatements(db, firsts);
  for (const first of firsts) byEdge.set(first.relationship_id, [{ ...first, replaced_at: null }]);
  let differing = 0;
  for (const edge of edges) {
    if (!(yield* repairEdge(db, edge, byEdge.get(edge.relationship_id)!))) differing += 1;
  }
  return { last: ids.at(-1), missing: firsts.length, differing };
}

/** Updates the rows of edges whose next change has come, so that lists of the present skip those that have ended. */
export function* refreshEdges(db: Writer, ids: readonly string[]): Work<void> {
  const byEdge = Map.groupBy(yield* listStatements(db, ids), ({ relationship_id }) => relationship_id);
  for (const edge of yield* findEdges(db, ids)) {
    const statements = byEdge.get(edge.relationship_id);
    if (statements !== undefined) yield* setShownPeriod(db, { ...edge, ...shownOf(statements, db.now) });
  }
}

/** After statements of these edges were removed or changed. */
export function* recomputeEdges(db: Writer, ids: readonly string[]): Work<void> {
  const byEdge = Map.groupBy(yield* listStatements(db, ids), ({ relationship_id }) => relationship_id);
  for (const edge of yield* findEdges(db, ids)) {
    const statements = byEdge.get(edge.relationship_id);
    if (statements !== undefined) yield* repairEdge(db, edge, statements);
  }
}
