import type { Work } from '../port.ts';
import type { Handle } from '../steps.ts';
import type { Connection } from './connection.ts';

/** Runs a transaction's generator to its end in one synchronous turn. */
export function drive<T>(connection: Connection, handle: Handle, work: Work<T>): T {
  let turn = work.next();
  while (!turn.done) {
    turn = work.next(connection.execute(handle.take(turn.value), handle));
  }
  handle.finish();
  return turn.value;
}
