import { findWrongTotals } from '#domains/truth/exchange/check-totals.ts';
import type { Call } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { type DoctorCheck, ok, warn } from './doctor-check.ts';

const name = 'truth';

/** Whether as many entities, observations and payloads are told of as there are. What they say is for `truth rebuild --check`. */
export async function checkTruth(storage: Pick<Storage, 'read'>, call: Call): Promise<DoctorCheck> {
  const wrong = await findWrongTotals(storage, call);
  if (wrong.length === 0) return ok(name, 'every total is that of the entities, observations and payloads');
  return warn(name, `totals that are not those of what is there: ${wrong.join(', ')}`, 'Run: fourfold truth rebuild');
}
