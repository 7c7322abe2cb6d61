import { findMiscounts } from '#domains/notebooks/pads/recount.ts';
import type { Call } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type DoctorCheck, ok, warn } from './doctor-check.ts';

const name = 'notebooks';

/** Whether lists, tags and limits count what is there. */
export async function checkNotebooks(storage: Pick<Storage, 'read'>, call: () => Call): Promise<DoctorCheck> {
  const wrong = Object.entries(await findMiscounts(storage, call)).filter(([, count]) => count > 0);
  if (wrong.length === 0) return ok(name, 'every count is that of the scratchpads');
  const told = wrong.map(([what, count]) => `${what} ${count}`).join(', ');
  return warn(name, `counts that are not those of the scratchpads: ${told}`, 'Run: fourfold notebooks recount');
}
