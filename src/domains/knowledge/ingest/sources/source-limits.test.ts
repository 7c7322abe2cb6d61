import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { openSource } from '../ingest.ts';
import { createZip } from './zip.fixture.ts';

describe('[KN13] source limits', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'ff-bounds-')));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const open = (name = '.') => openSource(join(folder, name), { roots: [folder], forbidden: [], base: folder });
  const plantSparse = (name: string, bytes: number): void => {
    writeFileSync(join(folder, name), '');
    truncateSync(join(folder, name), bytes);
  };

  test('reject a source whose pages are too large together', async () => {
    const { sourceBytes, pageBytes } = knowledgeLimits;
    for (let i = 0; i < sourceBytes / pageBytes; i += 1) plantSparse(`p${i}.md`, pageBytes);
    expect((await open()).pages).toHaveLength(sourceBytes / pageBytes);
    writeFileSync(join(folder, 'one-more.md'), 'x');
    await expect(open()).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
  });

  test('reject a source with too many pages', async () => {
    for (let i = 0; i <= knowledgeLimits.pagesCount; i += 1) writeFileSync(join(folder, `${i}.md`), '');
    await expect(open()).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
  }, 60_000);

  test('skip a page that is one byte too long and do not enter folders that are too deep', async () => {
    plantSparse('just.md', knowledgeLimits.pageBytes);
    plantSparse('over.md', knowledgeLimits.pageBytes + 1);
    const deep = Array.from({ length: knowledgeLimits.folderDepth }, (_, i) => `d${i}`).join('/');
    mkdirSync(join(folder, deep, 'deeper'), { recursive: true });
    writeFileSync(join(folder, deep, 'a.md'), 'x');
    writeFileSync(join(folder, deep, 'deeper', 'b.md'), 'x');
    const { pages, skipped } = await open();
    expect(pages.map(({ path }) => path)).toEqual([`${deep}/a.md`, 'just.md']);
    expect(skipped).toEqual([{ path: 'over.md', reason: `it has more than ${knowledgeLimits.pageBytes} bytes` }]);
  });

  test('reject an archive that is too large, packed or unpacked', async () => {
    plantSparse('huge.zip', knowledgeLimits.archiveBytes + 1);
    await expect(open('huge.zip')).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
    const content = Buffer.alloc(knowledgeLimits.smallMemberBytes, 'a');
    const count = Math.floor(knowledgeLimits.sourceBytes / content.length) + 1;
    const one = createZip([{ name: 'a.md', content }]);
    expect(one.length).toBeLessThan(content.length / 100);
    const many = createZip(Array.from({ length: count }, (_, i) => ({ name: `${i}.md`, content })));
    writeFileSync(join(folder, 'many.zip'), many);
    await expect(open('many.zip')).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
  }, 60_000);

  test('skip a page that grew after the check', async () => {
    writeFileSync(join(folder, 'a.md'), 'small');
    const { pages } = await open();
    plantSparse('a.md', knowledgeLimits.pageBytes * 4);
    expect(await pages[0]!.read()).toEqual({ reason: `it has more than ${knowledgeLimits.pageBytes} bytes` });
  });
});
