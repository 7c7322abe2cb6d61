import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveAllowedPath, withParentFolders } from './allowed-path.ts';

let top: string;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'ff-allowed-')));
  for (const path of ['root/docs', 'root/home/inside', 'root/.git', 'root/node_modules/.pnpm/x', 'other']) {
    mkdirSync(join(top, path), { recursive: true });
  }
  writeFileSync(join(top, 'root/a.md'), 'x');
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const find = async (path: string, more: { readonly roots?: readonly string[] | undefined } = {}) => {
  const access = { roots: [join(top, 'root')], forbidden: [join(top, 'root/home')], base: join(top, 'root'), ...more };
  return (await resolveAllowedPath(path, access))?.path.slice(top.length + 1);
};

describe('resolveAllowedPath', () => {
  it('resolves paths inside a root, relative to the base', async () => {
    expect(await find('docs')).toBe('root/docs');
    expect(await find('.')).toBe('root');
    expect(await find('a.md')).toBe('root/a.md');
    expect(await resolveAllowedPath('a.md', { roots: undefined, forbidden: [], base: join(top, 'root') })).toEqual({
      ...{ path: join(top, 'root/a.md'), isFolder: false },
    });
  });

  it.each(['..', '../other', 'nowhere', '', 'a\0', '/dev/null', '.git'])('rejects %j', async (path) => {
    expect(await find(path)).toBeUndefined();
  });

  it('rejects forbidden folders, also through links and in any root', async () => {
    symlinkSync(join(top, 'root/home'), join(top, 'root/link'));
    for (const path of ['home', 'home/inside', 'link', 'link/inside', 'docs/../home/inside']) {
      expect(await find(path)).toBeUndefined();
      expect(await find(path, { roots: undefined })).toBeUndefined();
      expect(await find(path, { roots: [join(top, 'root/home')] })).toBeUndefined();
    }
  });

  it('allows all other paths without roots, including hidden ones', async () => {
    expect(await find('../other', { roots: undefined })).toBe('other');
    expect(await find('.git', { roots: undefined })).toBe('root/.git');
  });

  it('rejects everything with an empty list of roots', async () => {
    expect(await find('docs', { roots: [] })).toBeUndefined();
  });

  it('allows hidden folders inside node_modules', async () => {
    expect(await find('node_modules/.pnpm/x')).toBe('root/node_modules/.pnpm/x');
  });
});

it('walks up to the root folder', () => {
  expect([...withParentFolders('/a/b')]).toEqual(['/a/b', '/a', '/']);
});
