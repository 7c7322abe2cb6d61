import { findMiscounts } from '#domains/notebooks/pads/recount.ts';
import { findWrongTotals } from '#domains/truth/exchange/check-totals.ts';
import type { Call } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type DoctorCheck, ok, warn } from './doctor-check.ts';

const truthName = 'truth';

/** Compares only the counts; `truth rebuild --check` compares the contents. */
export async function checkTruth(storage: Pick<Storage, 'read'>, call: Call): Promise<DoctorCheck> {
  const wrong = await findWrongTotals(storage, call);
  if (wrong.length === 0) return ok(truthName, 'all totals match the entities, observations and payloads');
  return warn(truthName, `wrong totals: ${wrong.join(', ')}`, 'Run: fourfold truth rebuild');
}

const name = 'notebooks';

export async function checkNotebooks(storage: Pick<Storage, 'read'>, call: () => Call): Promise<DoctorCheck> {
  const wrong = Object.entries(await findMiscounts(storage, call)).filter(([, count]) => count > 0);
  if (wrong.length === 0) return ok(name, 'all counts match the scratchpads');
  const counts = wrong.map(([what, count]) => `${what} ${count}`).join(', ');
  return warn(name, `wrong counts: ${counts}`, 'Run: fourfold notebooks recount');
}
