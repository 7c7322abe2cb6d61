import { expect, test } from 'vitest';
import { instructionLimits } from '../instruction-limits.ts';
import type { CatalogEntry } from './catalog.ts';
import type { EntrySource } from './entry-source.ts';
import { memoizeSource } from './memoized-source.ts';
import { createCall } from './memory-catalog.fixture.ts';

const call = createCall();
const known: CatalogEntry = { entry: {} as CatalogEntry['entry'], etag: 'x' };

/** A source that records its calls, and a manual clock. */
function openSource() {
  const asked: string[] = [];
  let now = 0;
  let failure: Error | undefined;
  const source: EntrySource = {
    load: async () => void asked.push('load'),
    refresh: async () => void asked.push('refresh'),
    async refreshEntry(_call, id) {
      asked.push(`look ${id}`);
    },
    sweepsInBackground: true,
    storedJson: async () => undefined,
    async commit() {
      asked.push('commit');
      if (failure !== undefined) throw failure;
    },
    // biome-ignore lint/correctness/useYield: nothing is asked of the store.
    *readCurrent() {
      return new Map();
    },
    files: async () => [],
    close: async () => {},
  };
  const memoized = memoizeSource(source, { find: (id) => (id === 'known' ? known : undefined) }, () => now);
  return {
    asked,
    memoized,
    pass: (ms: number) => {
      now += ms;
    },
    fail: (error: Error) => {
      failure = error;
    },
  };
}

test('answers known entries from memory until the time is over', async () => {
  const { memoized, asked, pass } = openSource();
  await memoized.load(call);
  pass(instructionLimits.sweepEveryMs - 1);
  await memoized.refresh(call);
  await memoized.refreshEntry(call, 'known');
  expect(asked).toEqual(['load']);
  pass(1);
  await memoized.refresh(call);
  await memoized.refresh(call);
  expect(asked).toEqual(['load', 'refresh']);
});

test('looks up unknown entries immediately', async () => {
  const { memoized, asked } = openSource();
  await memoized.load(call);
  await memoized.refreshEntry(call, 'other');
  expect(asked).toEqual(['load', 'look other']);
});

test('refreshes after the time is over even when only single entries are read', async () => {
  const { memoized, asked, pass } = openSource();
  await memoized.load(call);
  pass(instructionLimits.sweepEveryMs);
  await memoized.refreshEntry(call, 'known');
  await memoized.refreshEntry(call, 'known');
  expect(asked).toEqual(['load', 'refresh', 'look known']);
});

test('refreshes after a failed commit, so that the next read sees the cause', async () => {
  const { memoized, asked, fail } = openSource();
  await memoized.load(call);
  await memoized.commit(call, []);
  await memoized.refresh(call);
  expect(asked).toEqual(['load', 'commit']);
  fail(new Error('moved'));
  await expect(memoized.commit(call, [])).rejects.toThrow('moved');
  await memoized.refresh(call);
  expect(asked).toEqual(['load', 'commit', 'commit', 'refresh']);
});
