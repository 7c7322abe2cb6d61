import { expect, it } from 'vitest';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { knowledgeLimits } from '../knowledge-limits.ts';
import type { NewPage } from '../libraries/write-pages.ts';
import { ingestPages } from './ingest-pages.ts';
import { readHere } from './knowledge.fixture.ts';
import type { PageSource, RawPage } from './sources/page-source.ts';

const open = (pages: readonly RawPage[]): PageSource => ({
  ...{ origin: { kind: 'pages', name: 'test' }, library: undefined, version: undefined },
  ...{ pages, isWhole: true, skipped: [] },
  async close() {},
});
const pageOf = (path: string, read: RawPage['read']): RawPage => ({ path, format: 'markdown', read });

async function ingest(pages: readonly RawPage[]) {
  const written: NewPage[] = [];
  const taken = await ingestPages(
    open(pages),
    readHere,
    new Map(),
    async (some) => void written.push(...some),
    systemCall('test', { tenant: 'local' as never }),
  );
  return { ...taken, written };
}

it('reads a limited number of pages ahead', async () => {
  let openCount = 0;
  let mostCount = 0;
  const read = async () => {
    openCount += 1;
    mostCount = Math.max(mostCount, openCount);
    await new Promise((resolve) => setImmediate(resolve));
    openCount -= 1;
    return '# A\n\nText.';
  };
  const { written } = await ingest(Array.from({ length: 40 }, (_, i) => pageOf(`${i}.md`, read)));
  expect(written.map(({ path }) => path)).toEqual(Array.from({ length: 40 }, (_, i) => `${i}.md`));
  expect(mostCount).toBe(knowledgeLimits.readAheadPagesCount + 1);
});

it('normalises line ends, so that the hash does not depend on the platform', async () => {
  const texts = ['# A\n\nOne\ntwo.', '# A\r\n\r\nOne\r\ntwo.', '# A\r\rOne\rtwo.'];
  const { now, written } = await ingest(texts.map((text, i) => pageOf(`${i}.md`, async () => text)));
  expect(new Set(now.values()).size).toBe(1);
  expect(new Set(written.map(({ sections }) => sections[0]!.text))).toEqual(new Set(['One\ntwo.']));
});

it('fails on a page that cannot be read, but not before its turn', async () => {
  const bad = pageOf('bad.md', async () => {
    throw new Error('simulated failure');
  });
  await expect(ingest([pageOf('a.md', async () => '# A\n\nText.'), bad])).rejects.toThrow('simulated failure');
});

it('rejects a source without any readable page and gives the first reason', async () => {
  await expect(ingest([pageOf('a.md', async () => ({ reason: 'it is gone' }))])).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    message: expect.stringContaining('a.md: it is gone'),
  });
});
