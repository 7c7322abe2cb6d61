import type { Memory, RestartContext } from '#tests/support/survival/kill-rounds.ts';
import type { Victim } from '#tests/support/survival/victim.ts';
import type { Pad } from '../notebook-program.ts';
import { findDerived, findTotals } from './derived.ts';
import { findContradictions, type KeptPad, textOf, toKept } from './kept-pad.ts';
import { findLostCopies, findLostOfCopies } from './trash.ts';
import { createWritingLane } from './writing-lane.ts';

/** Checking derived data and the trash takes as long as a round. */
const thoroughEvery = 10;

async function readPads(victim: Victim): Promise<readonly Pad[] | undefined> {
  const listed = await victim.call<{ scratchpads: readonly Pad[] }>('scratch_list', { limit: 1000 });
  const reads = listed?.scratchpads.map(({ scratch_id }) =>
    victim.call<{ scratchpad: Pad }>('scratch_read', { scratch_id }),
  );
  const pads = (await Promise.all(reads ?? [])).map((answer) => answer?.scratchpad);
  return listed === undefined || pads.includes(undefined) ? undefined : pads.map((pad) => pad!);
}

async function findFlaws({
  victim,
  place,
  promises,
  round,
  isLast,
}: RestartContext<KeptPad>): Promise<readonly string[]> {
  const read = await readPads(victim);
  if (read === undefined) return [`the program ended before it answered: ${victim.said()}`];
  const pads = new Map(read.map((pad) => [pad.scratch_id, toKept(pad)]));
  const flaws = [...read.flatMap(findContradictions), ...promises.compare(pads)];
  if (!isLast && round % thoroughEvery !== 0) return flaws;
  return [...flaws, ...(await findDerived(victim, pads)), ...(await findLostCopies(place, promises))];
}

/** Runs every check once. The pad in the trash belongs to no lane. */
async function warmUp(victim: Victim): Promise<void> {
  const own = { scratch_id: 'warm' };
  const cell = { language: 'md', content: 'warm', tags: ['warm'] };
  const cells = [{ ...cell, cell_id: 'c' }];
  await victim.call('scratch_create', { ...own, metadata: { namespace: 'warm', tags: ['warm'] }, cells });
  await victim.call('scratch_append_cell', { ...own, cell });
  await victim.call('scratch_replace_cell', { ...own, cell_id: 'c', cell, new_index: 1 });
  await victim.call('scratch_upsert_schema', { ...own, schema: { schema: {} } });
  await victim.call('scratch_namespace_rename', { old_namespace: 'warm', new_namespace: 'warmer' });
  await findDerived(victim, new Map());
  await readPads(victim);
  await victim.call('scratch_delete', own);
}

export const padsMemory: Memory<KeptPad> = {
  textOf,
  createLane: createWritingLane,
  firstRead: 'scratch_list',
  warmUp,
  findFlaws,
  async findAtRest(place, promises) {
    return [...(await findTotals(place, promises)), ...(await findLostOfCopies(place, promises))];
  },
};
