import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogFixture } from '#kernel/log/log.ts';
import { indexFile, openBase, shippedDirectory, writeBase } from './knowledge-base.ts';
import { KnowledgeLoader } from './knowledge-loader.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fourfold-base-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: unknown): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

const doc = (id: string, more: object = {}) => ({
  ...{ id, title: `Title of ${id}`, version: 'v5', category: 'hooks', content: `Text of ${id}.` },
  ...more,
});

function loaderOf(...names: string[]) {
  const log = createLogFixture();
  return { log, loader: new KnowledgeLoader({ directories: names.map((name) => join(folder, name)), log }) };
}

describe('KnowledgeLoader.load', () => {
  it('[KN9] returns nothing for a missing category or file and for a name that leaves the folder', async () => {
    put('a/docs/hooks.json', [doc('one')]);
    put('secret.json', [doc('secret')]);
    const { loader } = loaderOf('a', 'missing');
    expect(await loader.load('docs', 'nothing')).toEqual([]);
    expect(await loader.load('snippets')).toEqual([]);
    put('a/no-such-category/x.json', [doc('x')]);
    put('elsewhere/x.json', [doc('x')]);
    for (const category of ['no-such-category', '../elsewhere', '', '.', 'docs/']) {
      expect(await loader.load(category)).toEqual([]);
      expect(await loader.load(category, 'x')).toEqual([]);
    }
    for (const name of ['../../secret', '..', './hooks', '/etc/passwd', 'hooks/', '']) {
      expect(await loader.load('docs', name)).toEqual([]);
    }
    expect(await loader.load('docs', 'hooks')).toHaveLength(1);
  });

  it('reads JSON and Markdown, also in subfolders, and fills in defaults', async () => {
    put('a/docs/hooks.json', doc('one'));
    put('a/docs/v5/services.md', '---\ntitle: S\nversion: v5\ncategory: services\n---\n# S\n\n## Use\n\nText.\n');
    const { loader } = loaderOf('a');
    expect(await loader.load('docs', 'hooks')).toEqual([
      doc('one', { breadcrumb: ['Title of one'], tags: [], source: { path: 'docs/hooks.json' } }),
    ]);
    expect((await loader.load('docs', 'v5/services')).map(({ id }) => id)).toEqual(['v5/services#use']);
    expect((await loader.load('docs')).map(({ id }) => id)).toEqual(['one', 'v5/services#use']);
  });

  it.each([
    ['no JSON', '{"id": '],
    ['an entry without a title', [{ id: 'x', version: 'v5', category: 'hooks', content: '' }]],
    ['a list of something else', [7]],
  ])('[KN9] throws on %s in a requested file, but only logs it when it loads the category', async (_what, bad) => {
    put('a/docs/bad.json', bad);
    put('a/docs/good.json', [doc('good')]);
    const { loader, log } = loaderOf('a');
    await expect(loader.load('docs', 'bad')).rejects.toMatchObject({ code: 'BAD_KNOWLEDGE_FILE' });
    expect((await loader.load('docs')).map(({ id }) => id)).toEqual(['good']);
    expect(log.lines).toMatchObject([{ level: 'warn', fields: { category: 'docs', file: 'bad' } }]);
  });

  it('replaces an entry by one with the same id in a later folder', async () => {
    put('a/docs/x.json', [doc('one'), doc('two')]);
    put('b/docs/y.json', [doc('two', { title: 'Ours' })]);
    const { loader } = loaderOf('a', 'b');
    expect((await loader.load('docs')).map(({ title }) => title)).toEqual(['Title of one', 'Ours']);
  });

  it('reads a fragment from its folder, with its files unchanged', async () => {
    put('a/templates/base/fragment.json', { id: 'base', title: 'Base', version: 'v5', packages: { koa: '^2' } });
    put('a/templates/base/files/src/app.ts', 'export {}\n');
    put('a/templates/base/files/.gitignore', 'node_modules\n');
    const { loader } = loaderOf('a');
    expect(await loader.load('templates')).toEqual([
      {
        ...{ id: 'base', title: 'Base', version: 'v5', requires: [], featureFlags: [] },
        ...{ packages: { koa: '^2' }, devPackages: {}, scripts: {} },
        files: { 'src/app.ts': 'export {}\n', '.gitignore': 'node_modules\n' },
      },
    ]);
  });
});

describe('KnowledgeLoader.buildIndex', () => {
  it('has exactly the five documented keys, with docs grouped by category', async () => {
    put('a/docs/x.json', [doc('one'), doc('two', { category: 'services' }), doc('three')]);
    put('a/snippets/hooks-before.json', [{ ...doc('s'), code: 'x' }]);
    put('a/patterns/p.json', [{ ...doc('p'), symptom: 's', cause: 'c', fix: 'f' }]);
    put('a/best-practices/b.json', [{ ...doc('b'), practice: 'p', reason: 'r' }]);
    const { loader } = loaderOf('a');
    const index = await loader.buildIndex();
    expect(Object.keys(index)).toEqual(['byCategory', 'templates', 'snippets', 'patterns', 'bestPractices']);
    expect(Object.keys(index.byCategory)).toEqual(['hooks', 'services']);
    expect(index.byCategory['hooks']?.map(({ id }) => id)).toEqual(['one', 'three']);
    expect(index.templates).toEqual([]);
    expect([index.snippets, index.patterns, index.bestPractices].map((list) => list.map(({ id }) => id))).toEqual([
      ['s'],
      ['p'],
      ['b'],
    ]);
    expect((await loaderOf().loader.buildIndex()).byCategory).toEqual({});
  });
});

describe('the shipped base', () => {
  const log = createLogFixture();
  const loader = new KnowledgeLoader({ directories: [shippedDirectory], log });

  it('[KN8] is found relative to the program, has no bad files, and its ids are unique', async () => {
    const ids: string[] = [];
    for (const category of ['docs', 'snippets', 'patterns', 'best-practices'] as const) {
      const entries = await loader.load(category);
      expect(entries.length).toBeGreaterThan(0);
      ids.push(...entries.map(({ id }) => id));
    }
    expect(log.lines).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
    expect((await loader.load('snippets', 'hooks-before')).length).toBeGreaterThan(0);
  });

  it('covers both versions', async () => {
    const { byCategory } = await loader.buildIndex();
    const docs = Object.values(byCategory).flat();
    for (const version of ['v4', 'v5', 'both']) expect(docs.some((entry) => entry.version === version)).toBe(true);
  });
});

describe('a compiled base', () => {
  it('holds the same entries and an index that is opened, not rebuilt', async () => {
    const log = createLogFixture();
    put('a/docs/v5/hooks.md', '---\ntitle: H\nversion: v5\ncategory: hooks\n---\n# H\n\n## Around\n\nText.\n');
    put('a/templates/base/fragment.json', { id: 'base', title: 'Base', version: 'v5' });
    await writeBase(join(folder, 'a'), join(folder, 'out'), log);
    const [source, compiled] = [loaderOf('a').loader, loaderOf('out').loader];
    expect(await compiled.load('docs')).toEqual(await source.load('docs'));
    expect(await compiled.load('docs', 'v5/hooks')).toEqual(await source.load('docs', 'v5/hooks'));
    expect(await compiled.load('templates', 'base')).toEqual(await source.load('templates', 'base'));
    const opened = await openBase([join(folder, 'out')], log);
    expect(opened.parts.map(({ segment }) => segment.docCount)).toEqual([1]);
    expect([...opened.sections.keys()]).toEqual(['v5/hooks#around']);
  });

  it('fails on a bad file instead of skipping it', async () => {
    put('a/docs/v5/hooks.md', '---\ntitle: H\n---\n# H\n\n## Around\n\nText.\n');
    await expect(writeBase(join(folder, 'a'), join(folder, 'out'), createLogFixture())).rejects.toMatchObject({
      code: 'BAD_KNOWLEDGE_FILE',
    });
  });

  it('is indexed again if its index is damaged or belongs to other entries', async () => {
    const log = createLogFixture();
    put('a/docs/x.json', [doc('one')]);
    put(`a/${indexFile}`, 'no index at all, but long enough');
    expect((await openBase([join(folder, 'a')], log)).parts.map(({ liveCount }) => liveCount)).toEqual([1]);
  });

  it('is overridden by the entries of later folders', async () => {
    const log = createLogFixture();
    put('a/docs/x.json', [doc('one'), doc('two')]);
    put('b/docs/x.json', [doc('two', { title: 'Ours' }), doc('three')]);
    const base = await openBase([join(folder, 'a'), join(folder, 'missing'), join(folder, 'b')], log);
    expect(base.parts.map(({ liveCount }) => liveCount)).toEqual([1, 2]);
    expect(base.sections.get('two')?.title).toBe('Ours');
  });
});
