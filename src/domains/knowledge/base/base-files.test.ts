import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knowledgeLimits } from '../knowledge-limits.ts';
import { isFileName, listFiles, readFile, readText } from './base-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ff-base-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content = ''): string {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe('base files', () => {
  it('lists files by their ending and enters folders whose names end the same way', () => {
    for (const path of ['docs/a.json', 'docs/b.md', 'docs/c.txt', 'docs/d.json/e.md', 'docs/f/g.md']) put(path);
    expect(listFiles(folder, 'docs')).toEqual(['a', 'b', 'd.json/e', 'f/g']);
  });

  it('lists JSON files and folders of templates without entering the folders', () => {
    for (const path of ['templates/a.json', 'templates/notes.md', 'templates/b/fragment.json']) put(path);
    expect(listFiles(folder, 'templates')).toEqual(['a', 'b']);
  });

  it('stops listing at the maximum number of files', () => {
    mkdirSync(join(folder, 'docs'));
    for (let i = 0; i <= knowledgeLimits.filesCount; i += 1) writeFileSync(join(folder, 'docs', `${i}.md`), '');
    expect(listFiles(folder, 'docs')).toHaveLength(knowledgeLimits.filesCount);
  }, 60_000);

  it('reads a file of the maximum size and rejects one that is a byte larger', () => {
    const file = put('docs/a.md');
    truncateSync(file, knowledgeLimits.fileBytes);
    expect(readText(file)).toHaveLength(knowledgeLimits.fileBytes);
    truncateSync(file, knowledgeLimits.fileBytes + 1);
    expect(() => readText(file)).toThrow(`it is larger than ${knowledgeLimits.fileBytes} bytes`);
    expect(readText(join(folder, 'docs/none.md'))).toBeUndefined();
  });

  it('reads nothing from a template folder without fragment.json', () => {
    put('templates/b/files/src/app.ts');
    expect(readFile(folder, 'templates', 'b')).toBeUndefined();
  });
});

it.each(['a b', 'a\\b', 'a\0', 'a//b', 'a/', '/a', '', '.', '..', 'a/../b', 'a/./b', 'ä'])(
  'rejects %j as a file name',
  (name) => {
    expect(isFileName(name)).toBe(false);
  },
);

it.each(['hooks', 'v5/hooks', '@scope.x/a-b_c', 'a..b'])('accepts %j as a file name', (name) => {
  expect(isFileName(name)).toBe(true);
});
