import type { Step } from '../port.ts';
import type { Handle } from '../transaction-handle.ts';
import type { Connection } from './connection.ts';

/** Runs a transaction's generator to its end in one synchronous turn. */
export function runWork<T>(connection: Connection, handle: Handle, step: Step<T>): T {
  const work = step[Symbol.iterator]();
  let turn = work.next();
  while (!turn.done) {
    turn = work.next(connection.execute(handle.take(turn.value), handle));
  }
  handle.finish();
  return turn.value;
}
