import { describe, expect, it } from 'vitest';
import { makeFilesPlace, makeTablePlace, type OnFinished, type SharedPlace } from '#tests/support/survival/places.ts';
import { startVictim, type Victim } from '#tests/support/survival/victim.ts';
import { type Json, md, type Pad, quietEnv } from '../notebook-program.ts';
import { findContradictions } from './kept-pad.ts';

const appendsCount = 100;
const movesCount = 40;
const revisionsCount = 10;
/** Concurrent calls per program. */
const lanesCount = 8;

async function inLanes(count: number, work: (n: number) => Promise<unknown>): Promise<void> {
  const lanes = Array.from({ length: lanesCount }, async (_, lane) => {
    for (let n = lane; n < count; n += lanesCount) await work(n);
  });
  await Promise.all(lanes);
}

const isConflict = (error: unknown): boolean => error instanceof Error && error.message.includes('CONFLICT');

async function read(program: Victim, scratch_id: string): Promise<Pad> {
  const answer = await program.call<{ scratchpad: Pad }>('scratch_read', { scratch_id });
  if (answer === undefined) throw new Error('the program is gone');
  return answer.scratchpad;
}

/** Reads again and retries after a conflict, as a careful client does. */
async function appendToRevision(program: Victim, content: string): Promise<void> {
  for (;;) {
    const { revision } = await read(program, 'careful');
    try {
      await program.call('scratch_append_cell', {
        scratch_id: 'careful',
        cell: md(content),
        expected_revision: revision,
      });
      return;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

async function writeAll(program: Victim, name: string): Promise<void> {
  const append = (n: number) =>
    program.call('scratch_append_cell', {
      scratch_id: 'shared',
      cell: md(`Of ${name}, ${n}.`, { cell_id: `${name}-${n}`, tags: [name] }),
    });
  const move = (n: number) =>
    program.call('scratch_replace_cell', {
      scratch_id: 'shared',
      cell_id: `base-${n % 4}`,
      cell: md(`Moved by ${name}, ${n}.`, { tags: ['base'] }),
      new_index: n % 3,
    });
  await Promise.all([
    inLanes(appendsCount, append),
    inLanes(movesCount, move),
    (async () => {
      for (let n = 0; n < revisionsCount; n += 1) await appendToRevision(program, `${name} ${n}`);
    })(),
  ]);
}

async function loseNothing({ env }: SharedPlace): Promise<void> {
  const whole = { ...env, ...quietEnv };
  const programs = [await startVictim(whole), await startVictim(whole)] as const;
  const cells: readonly Json[] = [0, 1, 2, 3].map((n) => md('At first.', { cell_id: `base-${n}`, tags: ['base'] }));
  await programs[0].call('scratch_create', { scratch_id: 'shared', cells });
  await programs[0].call('scratch_create', { scratch_id: 'careful' });
  await Promise.all(programs.map((program, i) => writeAll(program, `p${i}`)));
  const seen = await Promise.all(programs.map((program) => read(program, 'shared')));
  expect(seen[0]).toEqual(seen[1]);
  expect(await Promise.all(programs.map((program) => program.end()))).toEqual([0, 0]);

  const last = await startVictim(whole);
  const shared = await read(last, 'shared');
  expect(findContradictions(shared)).toEqual([]);
  expect(shared.revision).toBe(1 + 2 * (appendsCount + movesCount));
  const contents = new Map(shared.cells.map(({ cell_id, content }) => [cell_id, content]));
  expect(contents.size).toBe(4 + 2 * appendsCount);
  for (const name of ['p0', 'p1']) {
    for (let n = 0; n < appendsCount; n += 1) expect(contents.get(`${name}-${n}`)).toBe(`Of ${name}, ${n}.`);
  }
  for (let n = 0; n < 4; n += 1) expect(contents.get(`base-${n}`)).toMatch(/^Moved by p[01], \d+\.$/);
  expect(shared.cells.filter(({ cell_id }) => cell_id.startsWith('base-')).map(({ revision }) => revision)).toEqual(
    [0, 1, 2, 3].map(() => 1 + (2 * movesCount) / 4),
  );

  const careful = await read(last, 'careful');
  expect(findContradictions(careful)).toEqual([]);
  expect(careful.revision).toBe(1 + 2 * revisionsCount);
  const expected = ['p0', 'p1'].flatMap((name) => Array.from({ length: revisionsCount }, (_, n) => `${name} ${n}`));
  expect(careful.cells.map(({ content }) => String(content)).toSorted()).toEqual(expected.toSorted());
  const found = await last.call('scratch_list_tags');
  expect(found).toMatchObject({ scratchpad_tags: [], cell_tags: ['base', 'p0', 'p1'] });
  expect(await last.call('audit/verify')).toMatchObject({ ok: true });
  await last.end();
}

describe('two programs that write the same scratchpad', () => {
  it.each([
    ['folder', (onFinished: OnFinished): SharedPlace | Promise<SharedPlace> => makeFilesPlace(onFinished)],
    ['database', (onFinished: OnFinished): SharedPlace | Promise<SharedPlace> => makeTablePlace(onFinished)],
  ])('lose no append and no move in one %s, and indices stay contiguous', async (_what, make) => {
    const finished: (() => void | Promise<void>)[] = [];
    try {
      await loseNothing(await make((work) => finished.push(work)));
    } finally {
      for (const work of finished.toReversed()) await work();
    }
  });
});
