import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TemplateFragment } from '#domains/knowledge/base/base-entries.ts';
import type { NewApplication } from '#domains/knowledge/knowledge.ts';
import { createTemplates } from '#domains/knowledge/templates/templates.ts';
import { newApplication } from './new-application.ts';

const fragment: TemplateFragment = {
  id: 'small',
  title: 'A small application',
  version: 'v5',
  databases: ['sqlite'],
  requires: [],
  featureFlags: ['sqlite'],
  packages: {},
  devPackages: {},
  scripts: {},
  files: {
    'package.json': '{}',
    'src/app.ts': 'export {};\n',
    'src/deep/one.ts': 'export const one = 1;\n',
    'z.md': '# Z\n',
  },
};
const files = ['package.json', 'src/app.ts', 'src/deep/one.ts', 'z.md'];

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'ff-new-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const templates = (more: Partial<TemplateFragment> = {}) =>
  createTemplates({ loadFragments: async () => [{ ...fragment, ...more }] });
const make = (more: Partial<NewApplication> = {}, from = templates()) =>
  newApplication(from, {
    folder: join(place, 'app'),
    database: 'sqlite',
    auth: false,
    typescript: true,
    version: 'v5',
    dryRun: false,
    force: false,
    ...more,
  });
const list = (folder: string) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .toSorted()
    : [];
const at = (path: string) => join(place, 'app', path);
const put = (path: string, content: string) => {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), content);
};

describe('[KN19] a new application on disk', () => {
  it('writes all files and names the next steps', async () => {
    const answer = await make();
    expect(answer).toMatchObject({ folder: join(place, 'app'), files, replaced: [], dryRun: false });
    expect(answer.next).toContain('npm install && npm test');
    expect(list(join(place, 'app'))).toEqual(files);
    expect(readdirSync(place)).toEqual(['app']);
  });

  it('writes nothing in a dry run', async () => {
    expect(await make({ dryRun: true })).toMatchObject({ files, dryRun: true });
    expect(readdirSync(place)).toEqual([]);
  });

  it('keeps the other files of a folder', async () => {
    put('src/mine.ts', 'mine');
    put('notes.txt', 'mine');
    await make();
    expect(list(join(place, 'app'))).toEqual([...files, 'notes.txt', 'src/mine.ts'].toSorted());
    expect(readdirSync(place)).toEqual(['app']);
  });

  it('never replaces a file without force', async () => {
    put('z.md', 'mine');
    await expect(make()).rejects.toMatchObject({ code: 'FILES_TAKEN' });
    await expect(make({ dryRun: true })).rejects.toMatchObject({ code: 'FILES_TAKEN' });
    expect(list(join(place, 'app'))).toEqual(['z.md']);
    expect(readFileSync(at('z.md'), 'utf8')).toBe('mine');

    expect(await make({ force: true })).toMatchObject({ replaced: ['z.md'] });
    expect(readFileSync(at('z.md'), 'utf8')).toBe('# Z\n');
    expect(readdirSync(place)).toEqual(['app']);
  });

  it('writes nothing if a file is in place of a folder', async () => {
    put('src', 'a file');
    await expect(make({ force: true })).rejects.toMatchObject({ code: 'FILES_TAKEN' });
    expect(list(join(place, 'app'))).toEqual(['src']);
  });

  it('writes nothing if a folder is in place of a file', async () => {
    put('z.md/inside', 'mine');
    await expect(make({ force: true })).rejects.toMatchObject({ code: 'FILES_TAKEN' });
    expect(list(join(place, 'app'))).toEqual(['z.md/inside']);
  });

  it.each([true, false])(
    'leaves nothing behind if the last file cannot be written (existing folder: %s)',
    async (isThere) => {
      if (isThere) {
        put('src/mine.ts', 'mine');
        put('package.json', 'mine');
      }
      const whole = await templates().tree({ database: 'sqlite', auth: false, typescript: true, version: 'v5' });
      // Not a string: writing it throws after the other files are on disk.
      const unwritable = new Map([...whole!.files, ['zz.md', 7 as never]]);
      const broken = { ...templates(), tree: async () => ({ ...whole!, files: unwritable }) };
      await expect(make({ force: true }, broken)).rejects.toThrow('must be of type string');
      expect(list(join(place, 'app'))).toEqual(isThere ? ['package.json', 'src/mine.ts'] : []);
      if (isThere) expect(readFileSync(at('package.json'), 'utf8')).toBe('mine');
      expect(readdirSync(place)).toEqual(isThere ? ['app'] : []);
      if (isThere) expect(readdirSync(at('')).toSorted()).toEqual(['package.json', 'src']);
    },
  );

  it('removes its temporary folder after a failure', async () => {
    for (const path of ['src/app.ts', 'src/deep/one.ts']) put(path, 'mine');
    const whole = await templates().tree({ database: 'sqlite', auth: false, typescript: true, version: 'v5' });
    const unwritable = new Map([...whole!.files, ['zz.md', 7 as never]]);
    const broken = { ...templates(), tree: async () => ({ ...whole!, files: unwritable }) };
    await expect(make({ force: true }, broken)).rejects.toThrow('must be of type string');
    expect(readdirSync(at(''))).toEqual(['src']);
    expect(list(at(''))).toEqual(['src/app.ts', 'src/deep/one.ts']);
  });

  it('creates a missing folder atomically, with all files', async () => {
    const whole = await templates().tree({ database: 'sqlite', auth: false, typescript: true, version: 'v5' });
    const seen: boolean[] = [];
    class Watched extends Map<string, string> {
      override [Symbol.iterator]() {
        return this.entries().map((entry) => {
          seen.push(existsSync(at('')));
          return entry;
        });
      }
    }
    const watched = { ...templates(), tree: async () => ({ ...whole!, files: new Watched(whole!.files.entries()) }) };
    await make({}, watched);
    expect(seen).toEqual(files.map(() => false));
    expect(list(at(''))).toEqual(files);
  });

  it('counts the files in its way', async () => {
    for (const path of ['package.json', 'z.md/inside']) put(path, 'mine');
    const messages = await Promise.all(
      [make(), make({ force: true })].map((made) => made.catch((error: unknown) => (error as Error).message)),
    );
    expect(messages).toEqual([`z.md already exists in ${at('')}, and 1 more`, `z.md already exists in ${at('')}`]);
  });

  it('fails if the knowledge base has no matching template', async () => {
    await expect(make({ database: 'mongodb' })).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    expect(readdirSync(place)).toEqual([]);
  });

  it.each(['../out.ts', '/etc/out', 'a/../../out', 'a\\b', 'src/.../x', ''])(
    'rejects a path that leaves the folder: %j',
    async (path) => {
      const bad = templates({ files: { ...fragment.files, [path]: 'x' } });
      await expect(make({}, bad)).rejects.toMatchObject({ code: 'BAD_KNOWLEDGE_FILE' });
      expect(readdirSync(place)).toEqual([]);
    },
  );
});
