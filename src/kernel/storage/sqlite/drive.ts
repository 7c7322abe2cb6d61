import type { Work } from '../port.ts';
import type { Handle } from '../steps.ts';
import type { Connection } from './connection.ts';

/** Runs a transaction's generator to its end in one synchronous turn. */
export function drive<T>(connection: Connection, handle: Handle, work: Work<T>): T {
  let turn = work.next();
  while (!turn.done) {
    const op = handle.take(turn.value);
    const result = connection.execute(op);
    if (op.kind === 'run') handle.changedRows += result as number;
    turn = work.next(result);
  }
  handle.finish();
  return turn.value;
}
