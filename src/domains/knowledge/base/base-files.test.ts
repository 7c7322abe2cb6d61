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

describe('the files of a base', () => {
  it('are those that end as they should; a folder of such a name is a folder', () => {
    for (const path of ['docs/a.json', 'docs/b.md', 'docs/c.txt', 'docs/d.json/e.md', 'docs/f/g.md']) put(path);
    expect(listFiles(folder, 'docs')).toEqual(['a', 'b', 'd.json/e', 'f/g']);
  });

  it('of templates are JSON, or folders, which are not entered', () => {
    for (const path of ['templates/a.json', 'templates/notes.md', 'templates/b/fragment.json']) put(path);
    expect(listFiles(folder, 'templates')).toEqual(['a', 'b']);
  });

  it('beyond a bound are not looked at', () => {
    mkdirSync(join(folder, 'docs'));
    for (let i = 0; i <= knowledgeLimits.filesCount; i += 1) writeFileSync(join(folder, 'docs', `${i}.md`), '');
    expect(listFiles(folder, 'docs')).toHaveLength(knowledgeLimits.filesCount);
  }, 60_000);

  it('are read up to a bound, and refused a byte beyond it', () => {
    const file = put('docs/a.md');
    truncateSync(file, knowledgeLimits.fileBytes);
    expect(readText(file)).toHaveLength(knowledgeLimits.fileBytes);
    truncateSync(file, knowledgeLimits.fileBytes + 1);
    expect(() => readText(file)).toThrow(`it is larger than ${knowledgeLimits.fileBytes} bytes`);
    expect(readText(join(folder, 'docs/none.md'))).toBeUndefined();
  });

  it('of a folder without the facts of a fragment are none', () => {
    put('templates/b/files/src/app.ts');
    expect(readFile(folder, 'templates', 'b')).toBeUndefined();
  });
});

it.each(['a b', 'a\\b', 'a\0', 'a//b', 'a/', '/a', '', '.', '..', 'a/../b', 'a/./b', 'ä'])(
  '%j is no name of a file',
  (name) => {
    expect(isFileName(name)).toBe(false);
  },
);

it.each(['hooks', 'v5/hooks', '@scope.x/a-b_c', 'a..b'])('%j is a name of a file', (name) => {
  expect(isFileName(name)).toBe(true);
});
