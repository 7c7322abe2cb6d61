import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { openSource } from '../ingest.ts';
import { createZip, type ZipFixtureOptions, type ZipMemberFixture } from './zip.fixture.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ff-zip64-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function read(name: string): Promise<Readonly<Record<string, string>>> {
  const opened = await openSource(join(folder, name), { roots: [folder], forbidden: [], base: folder });
  const texts: Record<string, string> = {};
  for (const page of opened.pages) texts[page.path] = Buffer.from((await page.read()) as Uint8Array).toString();
  await opened.close();
  return texts;
}

const good: ZipMemberFixture = { name: 'a.md', content: '# Walrus\n\nIt sings.\n' };
const other: ZipMemberFixture = { name: 'b/c.md', content: 'A gramophone.', isStored: true };

function reads(
  members: readonly ZipMemberFixture[],
  form: ZipFixtureOptions,
): Promise<Readonly<Record<string, string>>> {
  writeFileSync(join(folder, 'test.zip'), createZip(members, { isLarge: true, ...form }));
  return read('test.zip');
}

describe('zip64', () => {
  test('reads an archive', async () => {
    expect(await reads([good, other], {})).toEqual({ 'a.md': good.content, 'b/c.md': other.content });
  });

  test.each<readonly [string, readonly ZipMemberFixture[], ZipFixtureOptions, string]>([
    ['whose central directory is after its end', [good], { saysListAt: 2 ** 60 }, 'directory is damaged'],
    ['whose end record is after its end', [good], { saysEndAt: 2 ** 60 }, 'directory is damaged'],
    ['whose end record is elsewhere', [good], { saysEndAt: 0 }, 'directory is damaged'],
    ['with fewer files than declared', [good], { saysCount: 2 }, 'directory is damaged'],
    ['with a huge declared size', [{ ...good, saysBytes: 2 ** 60 }], {}, 'far more'],
    [
      'with a huge declared packed size',
      [{ ...good, saysPackedBytes: 2 ** 60, saysBytes: 10 }],
      {},
      'larger than the archive',
    ],
    [
      'that unpacks to more than declared',
      [{ name: 'a.md', content: 'a'.repeat(9_999), saysBytes: 9 }],
      {},
      'far more',
    ],
    ['that is a zip bomb', [{ name: 'a.md', content: Buffer.alloc(3 * 1024 * 1024) }], {}, 'far more'],
  ])('rejects an archive %s', async (_what, members, form, says) => {
    const refusal = { code: 'VALIDATION_ERROR', message: expect.stringContaining(says) };
    await expect(reads(members, form)).rejects.toMatchObject(refusal);
  });

  test('rejects an archive that declares too many files', async () => {
    for (const saysCount of [knowledgeLimits.archiveMembersCount + 1, 2 ** 60]) {
      await expect(reads([good], { saysCount })).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
    }
  });

  test('rejects overlapping members before unpacking any, with and without zip64', async () => {
    const content = Buffer.alloc(knowledgeLimits.smallMemberBytes, 'a');
    const wide = createZip([{ name: 'a.md', content }]).length;
    const members = Array.from({ length: 3 }, (_, i) => ({ name: `${i}.md`, content, saysPackedBytes: 2 * wide }));
    for (const isLarge of [true, false]) {
      await expect(reads(members, { isLarge })).rejects.toMatchObject({
        message: expect.stringContaining('larger than the archive'),
      });
    }
  });
});

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const text = '# Walrus\n\nIt sings.\n';

describe('reads a zip64 archive that was written', () => {
  // With lowered limits, Python writes every record as zip64.
  const python = `
import sys, zipfile
zipfile.ZIP64_LIMIT = 4
zipfile.ZIP_FILECOUNT_LIMIT = 1
with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:
    archive.writestr('a.md', sys.argv[2])
    with archive.open('b/c.md', 'w', force_zip64=True) as member:
        member.write(sys.argv[2].encode())
`;

  test.skipIf(!isThere('python3'))('by Python', async () => {
    execFileSync('python3', ['-c', python, join(folder, 'made.zip'), text]);
    expect(await read('made.zip')).toEqual({ 'a.md': text, 'b/c.md': text });
  });

  test.skipIf(!isThere('zip'))('by zip', async () => {
    writeFileSync(join(folder, 'a.md'), text);
    execFileSync('zip', ['-q', '-fz', 'made.zip', 'a.md'], { cwd: folder });
    expect(await read('made.zip')).toEqual({ 'a.md': text });
  });
});
