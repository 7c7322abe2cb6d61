import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { findRetractions } from '../payloads/submission-store.ts';
import { relationshipTopic } from '../truth-vocabulary.ts';
import { findEdges } from './relationship-store.ts';
import { addStatements, type EdgeSource, nextPosition, toStatementRow } from './state-edge.ts';
import { historyOf } from './statements/edge-history.ts';
import {
  listEdgesOfSubmission,
  listStatements,
  type RecordedStatement,
  type StatementRow,
} from './statements/statement-store.ts';

const byRecording = (a: StatementRow, b: StatementRow): number =>
  b.created_at - a.created_at || b.position - a.position;

/**
 * What counts instead of a retracted period: the newest statement with the same start that is not retracted, or a
 * statement that there is none.
 */
function replacementOf(
  db: Writer,
  period: RecordedStatement,
  others: readonly RecordedStatement[],
  position: number,
  actor: string,
): StatementRow {
  const [left] = others.filter(({ effective_at }) => effective_at === period.effective_at).sort(byRecording);
  const said = left ?? period;
  const source: EdgeSource = { kind: said.source_kind, id: said.source_id, submissionId: said.submission_id };
  const kind = left === undefined ? 'retract' : 'state';
  return toStatementRow(db, period.relationship_id, kind, said, position, { source, actor });
}

/** Takes back what a submission stated about edges. What was known before stays known. */
export function* retractEdges(db: Writer, submissionId: string, actor: string): Work<void> {
  const ids = (yield* listEdgesOfSubmission(db, submissionId)).map(({ relationship_id }) => relationship_id);
  if (ids.length === 0) return;
  const statements = yield* listStatements(db, ids);
  const sources = [...new Set(statements.flatMap(({ submission_id }) => submission_id ?? []))];
  const retracted = new Set((yield* findRetractions(db, sources)).map(({ target_id }) => target_id)).add(submissionId);
  const byEdge = Map.groupBy(statements, ({ relationship_id }) => relationship_id);
  for (const edge of yield* findEdges(db, ids)) {
    const known = byEdge.get(edge.relationship_id)!;
    const gone = historyOf(known).periods.filter(({ submission_id }) => submission_id === submissionId);
    if (gone.length === 0) continue;
    const others = known.filter(
      ({ kind, submission_id }) => kind === 'state' && (submission_id === null || !retracted.has(submission_id)),
    );
    const place = nextPosition(db, known);
    const added = gone.map((period, i) => replacementOf(db, period, others, place + i, actor));
    const { row } = yield* addStatements(db, edge, known, added);
    yield* db.changed(relationshipTopic, edge.relationship_id, 'update', sha256Hex(`${row.phase} ${submissionId}`));
  }
}
