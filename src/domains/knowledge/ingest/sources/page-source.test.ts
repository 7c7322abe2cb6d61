import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { knowledgeLimits } from '../../knowledge-limits.ts';
import { guardFolder, toRawPages } from './page-source.ts';

test('skips and names files with a bad path and missing files, and reads the others', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ff-read-files-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { pathChars } = knowledgeLimits;
  const deep = `${'d'.repeat(200)}/${'e'.repeat(200)}`;
  const just = `${deep}/${'f'.repeat(pathChars - deep.length - 4)}.md`;
  const over = `${deep}/${'f'.repeat(pathChars - deep.length - 3)}.md`;
  mkdirSync(join(folder, deep), { recursive: true });
  for (const path of [just, over]) writeFileSync(join(folder, path), 'x');
  const wanted = [just, over, 'gone.md', 'a\ud800.md'].map((path) => ({
    ...{ path, absolute: join(folder, path), format: 'markdown' as const },
  }));
  const { pages, skipped } = await toRawPages(
    wanted,
    guardFolder(folder, { roots: [folder], forbidden: [], base: '/' }),
  );
  expect(pages.map(({ path }) => path)).toEqual([just]);
  expect(await pages[0]!.read()).toEqual(Buffer.from('x'));
  expect(skipped).toEqual([
    { path: over.slice(0, pathChars), reason: 'its path is too long' },
    { path: 'gone.md', reason: 'it cannot be opened' },
    { path: 'a\ufffd.md', reason: 'its name contains invalid characters' },
  ]);
});
