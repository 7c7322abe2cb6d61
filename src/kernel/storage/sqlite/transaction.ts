import type { Step } from '../port.ts';
import type { Handle } from '../transaction-handle.ts';
import type { Connection } from './connection.ts';

/** Runs the generator of a transaction to its end, synchronously. */
export function runWork<T>(connection: Connection, handle: Handle, step: Step<T>): T {
  const work = step[Symbol.iterator]();
  let turn = work.next();
  while (!turn.done) {
    turn = work.next(connection.execute(handle.take(turn.value), handle));
  }
  handle.finish();
  return turn.value;
}
