import { expect, it } from 'vitest';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { NewPage } from '../libraries/write-pages.ts';
import { createPageBatch } from './ingest-pages.ts';

const pageOf = (sectionsCount: number, chars = 1): NewPage => ({
  ...{ path: 'a.md', title: 'A', category: 'docs', hash: 'h' },
  sections: Array.from({ length: sectionsCount }, (_, i) => ({
    ...{ anchor: `s${i}`, level: 1, title: 'A', breadcrumb: ['A'], text: 'x'.repeat(chars) },
  })),
});

/** The number of pages in each write. */
async function writesOf(pages: readonly NewPage[]): Promise<readonly number[]> {
  const writes: number[] = [];
  const batch = createPageBatch(async (some) => void writes.push(some.length));
  for (const page of pages) await batch.add(page);
  await batch.end();
  return writes;
}

const { batchPagesCount, batchSectionsCount, batchChars } = knowledgeLimits;

it.each([
  ['pages', pageOf(1), batchPagesCount],
  ['sections', pageOf(batchSectionsCount / 2), 2],
  ['characters', pageOf(1, batchChars / 4), 4],
])('limits the %s per write', async (_what, page, count) => {
  expect(await writesOf(Array.from({ length: count }, () => page))).toEqual([count]);
  expect(await writesOf(Array.from({ length: 2 * count + 1 }, () => page))).toEqual([count, count, 1]);
});

it('writes nothing without pages', async () => {
  expect(await writesOf([])).toEqual([]);
});

it('reports a failed write on the next call and writes nothing more', async () => {
  let writesCount = 0;
  const batch = createPageBatch(async () => {
    writesCount += 1;
    throw new Error('simulated failure');
  });
  await batch.add(pageOf(batchSectionsCount));
  await expect(batch.add(pageOf(batchSectionsCount))).rejects.toThrow('simulated failure');
  await expect(batch.end()).rejects.toThrow('simulated failure');
  await batch.settle();
  expect(writesCount).toBe(1);
});
