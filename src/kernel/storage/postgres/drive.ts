import type { Work } from '../port.ts';
import type { Handle } from '../steps.ts';
import type { Transaction } from './transaction.ts';

/** Runs a transaction's generator to its end, one trip a step. */
export async function drive<T>(transaction: Transaction, handle: Handle, work: Work<T>): Promise<T> {
  let turn = work.next();
  while (!turn.done) turn = work.next(await transaction.execute(handle.take(turn.value), handle));
  handle.finish();
  return turn.value;
}
