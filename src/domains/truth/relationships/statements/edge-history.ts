import { sha256Hex } from '#kernel/hash/hash.ts';
import { edgePhases, type ShownPeriod, showPeriods, toPeriod } from './periods.ts';
import type { RecordedStatement, StatementRow } from './statement-store.ts';

const separator = '\u001f';

/** The same in any store, so that an import adds only what is new. */
const statementIdOf = (relationshipId: string, createdAt: number, position: number): string =>
  `est_${sha256Hex([relationshipId, createdAt, position].join(separator)).slice(0, 24)}`;

export const toStatement = (fields: Omit<StatementRow, 'statement_id'>): StatementRow => ({
  ...fields,
  statement_id: statementIdOf(fields.relationship_id, fields.created_at, fields.position),
});

/** As of now. */
export interface EdgeHistory<S extends StatementRow = RecordedStatement> {
  /** One per start. */
  readonly periods: readonly S[];
  readonly isDeleted: boolean;
}

/** The columns of the edge. Without any period left it counts as deleted. */
export function shownOf(statements: readonly RecordedStatement[], now: number): ShownPeriod {
  const { periods, isDeleted } = historyOf(statements);
  if (periods.length > 0) return showPeriods(periods, isDeleted, now);
  const last = statements.toSorted(byRecording).at(-1);
  if (last === undefined) throw new Error('bug: an edge has no statement');
  return { ...toPeriod(last), phase: edgePhases.deleted, next_change_at: null };
}

export const historyOf = (statements: readonly RecordedStatement[]): EdgeHistory => {
  const current = statements.filter(({ replaced_at }) => replaced_at === null);
  return {
    periods: current.filter(({ kind }) => kind === 'state'),
    isDeleted: current.some(({ kind }) => kind === 'delete'),
  };
};

const byRecording = (a: StatementRow, b: StatementRow): number =>
  a.created_at - b.created_at || a.position - b.position || (a.statement_id < b.statement_id ? -1 : 1);

/**
 * When each statement was replaced: a period by the next one with the same start or its retraction, a deletion by the next
 * restoration. A restoration counts only for that.
 */
export function replacementsOf(statements: readonly StatementRow[]): ReadonlyMap<StatementRow, number | null> {
  const replaced = new Map<StatementRow, number | null>();
  const latest = new Map<number | 'delete', StatementRow>();
  for (const one of statements.toSorted(byRecording)) {
    replaced.set(one, null);
    const key = one.kind === 'state' || one.kind === 'retract' ? one.effective_at : 'delete';
    const before = latest.get(key);
    if (before !== undefined) replaced.set(before, one.created_at);
    latest.set(key, one);
  }
  return replaced;
}
