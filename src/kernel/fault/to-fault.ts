import { Fault } from './fault.ts';
import { faults } from './kernel-faults.ts';

/** A fault stays as it is. Anything else is a bug: reported under a new id, and answered as INTERNAL with that id. */
export function toFault(error: unknown, ids: { short(): string }, report: (id: string) => void): Fault {
  if (error instanceof Fault) return error;
  const id = ids.short();
  report(id);
  return faults.INTERNAL({ id }, { id, message: 'The server met an unexpected condition.' });
}
