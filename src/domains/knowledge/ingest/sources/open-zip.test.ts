import { mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { openSource } from '../ingest.ts';
import { createZip } from './zip.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ff-zip-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function open(bytes: Uint8Array) {
  const file = join(folder, 'test.zip');
  writeFileSync(file, bytes);
  const opened = await openSource(file, { roots: [folder], forbidden: [], base: folder });
  await opened.close();
  return { ...opened, paths: opened.pages.map(({ path }) => path) };
}

const good = { name: 'a.md', content: '# A' };
/** The position of the only member's record in the central directory. */
const recordAt = (zip: Buffer): number => zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2]));

describe('pages of an archive', () => {
  test('are skipped and named if they are too long, occur twice or have a long path', async () => {
    const { pathChars } = knowledgeLimits;
    // Stored, because such a compression ratio would be rejected.
    const long = { content: Buffer.alloc(knowledgeLimits.pageBytes + 1, 'x'), isStored: true };
    const { paths, skipped } = await open(
      createZip([
        { ...good, name: `${'d/'.repeat((pathChars - 4) / 2)}xa.md` },
        { ...good, name: `${'d/'.repeat((pathChars - 4) / 2)}a.md` },
        { ...good, name: 'long.md', ...long },
        good,
        { ...good, content: '# Another' },
      ]),
    );
    expect(paths).toEqual([`${'d/'.repeat((pathChars - 4) / 2)}a.md`, 'a.md']);
    expect(skipped.map(({ reason }) => reason)).toEqual([
      'its path is too long',
      `it has more than ${knowledgeLimits.pageBytes} bytes`,
      'its name occurs twice',
    ]);
  });

  test('are skipped and named if the compression method is unknown', async () => {
    const zip = createZip([good]);
    zip.writeUInt16LE(12, recordAt(zip) + 10);
    expect((await open(zip)).skipped).toEqual([{ path: 'a.md', reason: 'its compression method is not supported' }]);
  });

  test('belong to the library of a readable package.json, or else of the file name', async () => {
    const manifest = { name: 'package.json', content: '{"name": "whale", "version": "3.2.1"}' };
    expect(await open(createZip([good, manifest]))).toMatchObject({ library: 'whale', version: '3.2.1' });
    for (const content of ['{', manifest.content.padEnd(knowledgeLimits.pageBytes + 1)]) {
      const bad = { ...manifest, content, isStored: true };
      expect(await open(createZip([good, bad]))).toMatchObject({ library: 'test', version: undefined });
    }
    expect(await open(createZip([good]))).toMatchObject({ library: 'test', version: undefined });
  });
});

describe('rejects an archive', () => {
  test('that is too large', async () => {
    writeFileSync(join(folder, 'huge.zip'), '');
    truncateSync(join(folder, 'huge.zip'), knowledgeLimits.archiveBytes + 1);
    await expect(
      openSource(join(folder, 'huge.zip'), { roots: [folder], forbidden: [], base: folder }),
    ).rejects.toMatchObject({
      code: 'RESOURCE_LIMIT',
      message: expect.stringContaining(String(knowledgeLimits.archiveBytes)),
    });
  });

  test('with more pages than a library may have', async () => {
    const pages = Array.from({ length: knowledgeLimits.pagesCount + 1 }, (_, i) => ({ name: `${i}.md`, content: '' }));
    await expect(open(createZip(pages))).rejects.toMatchObject({
      code: 'RESOURCE_LIMIT',
      message: expect.stringContaining(String(knowledgeLimits.pagesCount)),
    });
  });

  test('whose page is longer than declared or not at its position', async () => {
    const longer = createZip([{ name: 'a.md', content: '# A', isStored: true, saysBytes: 1 }]);
    await expect(open(longer)).rejects.toThrow('far more than docs would');
    const moved = createZip([good]);
    moved.writeUInt32LE(7, 0);
    await expect(open(moved)).rejects.toThrow('is not at its position');
  });
});

test('follows a limited number of links of an llms.txt', async () => {
  const file = join(folder, 'llms.txt');
  const count = knowledgeLimits.linksCount;
  writeFileSync(file, Array.from({ length: count + 1 }, (_, i) => `- [P](p${i}.md)`).join('\n'));
  for (const i of [0, count - 1, count]) writeFileSync(join(folder, `p${i}.md`), '# P');
  const { pages } = await openSource(file, { roots: [folder], forbidden: [], base: folder });
  expect(pages.map(({ path }) => path)).toEqual(['llms.txt', 'p0.md', `p${count - 1}.md`]);
});
