import { runProgram } from '#tests/support/program.ts';
import type { AcknowledgedWrites } from '#tests/support/survival/acknowledged-writes.ts';
import type { Json } from '#tests/support/survival/conversation.ts';
import type { SharedPlace } from '#tests/support/survival/places.ts';
import { startVictim } from '#tests/support/survival/victim.ts';
import type { Pad } from '../notebook-program.ts';
import { differ } from './derived.ts';
import { findContradictions, type KeptPad, textOf, toKept } from './kept-pad.ts';

interface TrashedPad {
  readonly scratch_id: string;
  readonly namespace: string | null;
  readonly cell_count: number;
  readonly reason: string;
}

/** More than the rounds can remove. */
const copiesCount = 100_000;
/** Each restored copy takes a start of the program. */
const restoredCount = 6;

async function run({ env }: SharedPlace, ...words: readonly string[]): Promise<Json> {
  const { code, stdout, stderr } = await runProgram(['notebooks', ...words, '--json'], env);
  if (code !== 0) throw new Error(`notebooks ${words.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Json;
}

/** The trash has one copy of each deleted or reset pad, and no others. */
export async function findLostCopies(
  place: SharedPlace,
  promises: AcknowledgedWrites<KeptPad>,
): Promise<readonly string[]> {
  const { scratchpads } = await run(place, 'trash', '--limit', `${copiesCount}`);
  const copies = (scratchpads as readonly TrashedPad[])
    .filter(({ scratch_id }) => scratch_id !== 'warm')
    .map((pad) => `${pad.scratch_id} ${pad.reason} ${pad.namespace} ${pad.cell_count}`);
  const expected = [...promises.putAway].flatMap(([id, all]) =>
    all.map(({ thing, why }) => `${id} ${why} ${thing.namespace} ${thing.cells.length}`),
  );
  return differ('the trash', copies.toSorted().join(), expected.toSorted().join());
}

/** Restores the newest copies of some pads completely. */
export async function findLostOfCopies(
  place: SharedPlace,
  promises: AcknowledgedWrites<KeptPad>,
): Promise<readonly string[]> {
  // The pads with the most cells have the most to lose.
  const newest = [...promises.putAway]
    .map(([id, copies]) => ({ id, as: `back-${id}`, pad: copies.at(-1)!.thing }))
    .toSorted((a, b) => b.pad.cells.length - a.pad.cells.length)
    .slice(0, restoredCount);
  const flaws: string[] = [];
  const back: typeof newest = [];
  for (const one of newest) {
    try {
      await run(place, 'restore', one.id, '--as', one.as);
      back.push(one);
    } catch (error) {
      flaws.push(`${one.id} does not come back: ${String(error)}`);
    }
  }
  const reader = await startVictim(place.env);
  for (const { as, pad } of back) {
    const read = await reader.call<{ scratchpad: Pad }>('scratch_read', { scratch_id: as });
    if (read === undefined) return [`the program ended before it answered: ${reader.said()}`];
    const expected = { ...pad, revision: pad.revision + 1 };
    flaws.push(...findContradictions(read.scratchpad));
    flaws.push(...differ(`${as} out of the trash`, textOf(toKept(read.scratchpad)), textOf(expected)));
  }
  await reader.end();
  return flaws;
}
