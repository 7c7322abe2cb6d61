import { describe, expect, it } from 'vitest';
import type { Json } from '#tests/support/survival/conversation.ts';
import type { OnFinished, SharedPlace } from '#tests/support/survival/places.ts';
import { startVictim, type Victim } from '#tests/support/survival/victim.ts';
import { makeFilesPlace, makeTablePlace } from './places.fixture.ts';

const ownCount = 100;
const sharedIds = ['shared-a', 'shared-b'];
const overwritesCount = 25;
/** Concurrent calls per program. */
const lanesCount = 8;

interface Entry {
  readonly id: string;
  readonly body: string;
  readonly version: string;
  readonly changeLog: readonly { readonly version: string }[];
}

const isConflict = (error: unknown): boolean => error instanceof Error && error.message.includes('CONFLICT');

/** Retries after a conflict, as the fault suggests. */
async function insist(program: Victim, args: Json): Promise<Json> {
  for (;;) {
    try {
      const answer = await program.call('instructions/add', args);
      if (answer === undefined) throw new Error('the program is gone');
      return answer;
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

async function inLanes(count: number, work: (n: number) => Promise<void>): Promise<void> {
  const lanes = Array.from({ length: lanesCount }, async (_, lane) => {
    for (let n = lane; n < count; n += lanesCount) await work(n);
  });
  await Promise.all(lanes);
}

async function writeAll(program: Victim, name: string) {
  const versions = new Map(sharedIds.map((id) => [id, [] as string[]]));
  const addOwn = inLanes(ownCount, async (n) => {
    const answer = await insist(program, { entry: { id: `${name}-${n}`, body: `Of ${name}, ${n}.` }, lax: true });
    expect(answer).toMatchObject({ created: true, verified: true });
  });
  const overwriteShared = Promise.all(
    sharedIds.map(async (id) => {
      for (let n = 0; n < overwritesCount; n += 1) {
        const entry = { id, body: `Overwrite ${n} by ${name}.` };
        const answer = await insist(program, { entry, lax: true, overwrite: true });
        expect(answer).toMatchObject({ overwritten: true, verified: true });
        versions.get(id)?.push(String(answer['version']));
      }
    }),
  );
  await Promise.all([addOwn, overwriteShared]);
  return versions;
}

async function loseNothing(place: SharedPlace): Promise<void> {
  const programs = [await startVictim(place.env), await startVictim(place.env)] as const;
  for (const id of sharedIds) await insist(programs[0], { entry: { id, body: 'At first.' }, lax: true });
  const acknowledged = await Promise.all(programs.map((program, i) => writeAll(program, `p${i}`)));
  expect(await Promise.all(programs.map((program) => program.end()))).toEqual([0, 0]);

  const last = await startVictim(place.env);
  const listed = await last.call<{ count: number; items: readonly Entry[] }>('instructions/list');
  const entries = new Map(listed?.items.map((entry) => [entry.id, entry]));
  expect(entries.size).toBe(2 * ownCount + sharedIds.length);
  for (const name of ['p0', 'p1']) {
    for (let n = 0; n < ownCount; n += 1) expect(entries.get(`${name}-${n}`)?.body).toBe(`Of ${name}, ${n}.`);
  }
  for (const id of sharedIds) {
    const entry = entries.get(id);
    // Each acknowledged overwrite is one line of the change log, with a unique version.
    const versions = acknowledged.flatMap((of) => of.get(id) ?? []);
    expect(new Set(versions).size).toBe(2 * overwritesCount);
    expect(entry?.changeLog.map(({ version }) => version).slice(1)).toEqual(versions.toSorted(byNumber));
    expect(entry?.version).toBe(versions.toSorted(byNumber).at(-1));
    expect(entry?.body).toMatch(new RegExp(`^Overwrite ${overwritesCount - 1} by p[01]\\.$`));
  }
  expect(await last.call('integrity/verify')).toMatchObject({ issueCount: 0, count: entries.size });
  expect(await last.call('instructions/search', { q: 'overwrite', limit: 1 })).toMatchObject({ count: 2 });
  expect(await last.call('audit/verify')).toMatchObject({ ok: true });
  await last.end();
}

const patchOf = (version: string): number => Number(version.split('.')[2]);
const byNumber = (a: string, b: string): number => patchOf(a) - patchOf(b);

describe('two programs that write the same catalog concurrently', () => {
  it.each([
    ['folder', (onFinished: OnFinished): SharedPlace | Promise<SharedPlace> => makeFilesPlace(onFinished)],
    ['database', (onFinished: OnFinished): SharedPlace | Promise<SharedPlace> => makeTablePlace(onFinished)],
  ])('lose no entry, no overwrite and no change log line in one %s', async (_what, make) => {
    const finished: (() => void | Promise<void>)[] = [];
    try {
      await loseNothing(await make((work) => finished.push(work)));
    } finally {
      for (const work of finished.toReversed()) await work();
    }
  });
});
