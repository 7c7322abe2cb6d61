import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createZip } from '#domains/knowledge/ingest/sources/zip.fixture.ts';
import type { Engine } from '../storage/engine.ts';
import { useKnowledge } from './open-knowledge.ts';

export function describeSources(engine: Engine): void {
  describe(`sources on ${engine.name}`, () => {
    const { start, top } = useKnowledge(engine);
    const names = { library: 'sea', version: '1' };
    type OpenKnowledge = ReturnType<typeof start>;

    /** Expects a rejection that wrote nothing. */
    async function refuses({ ask, find }: OpenKnowledge, input: object, code: string, says = ''): Promise<void> {
      const answer = await ask('knowledge_ingest', { ...names, ...input });
      expect(answer).toMatchObject({ code, error: expect.stringContaining(says) });
      expect(await ask('knowledge_list')).toEqual({ libraries: [] });
      expect(await find('walrus')).toEqual([]);
    }

    test('[KN12] skips and names files that are not text, and ingests the rest', async () => {
      const { ingestDocs, find, write, folder } = start();
      write('good.md', '# Walrus\n\nIt sings.\n');
      write('broken.md', Buffer.from([0x23, 0x20, 0xff, 0xfe, 0x41]));
      write('binary.txt', 'a\0b');
      write('empty.md', '\n\n');
      write('huge.md', '');
      truncateSync(join(folder, 'huge.md'), 100 * 1024 * 1024);
      write('wide.html', Buffer.from('\ufeff<h1>Narwhal</h1><p>It swims.', 'utf16le'));
      write('picture.png', 'x');
      mkdirSync(join(folder, 'sub'));
      symlinkSync('..', join(folder, 'sub', 'loop'));
      symlinkSync('loop.md', join(folder, 'loop.md'));
      symlinkSync('/etc/hostname', join(folder, 'link.txt'));
      write('two\nlines.md', '# Walrus');
      const answer = await ingestDocs({ ...names, source: folder });
      expect(answer).toMatchObject({ added: 2, pages: 2, skipped_count: 7 });
      expect(answer.skipped.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { path: 'binary.txt', reason: 'it is binary' },
        { path: 'broken.md', reason: 'it is not UTF-8' },
        { path: 'empty.md', reason: 'it contains no text' },
        { path: 'huge.md', reason: expect.stringContaining('bytes') },
        { path: 'link.txt', reason: expect.stringContaining('link') },
        { path: 'loop.md', reason: expect.stringContaining('link') },
        { path: 'two\nlines.md', reason: expect.stringContaining('characters') },
      ]);
      expect(await find('narwhal')).toEqual(['sea@1/wide.html#narwhal']);
    });

    test('[KN12] ignores what .gitignore excludes without reporting it, but ingests whole packages', async () => {
      const { ingestDocs, ask, find, write, folder } = start();
      write('.gitignore', '*.draft.md\n/out\n!/keep.draft.md\n');
      write('good.md', '# Walrus\n\nIt sings.\n');
      write('keep.draft.md', '# Walrus\n\nIt sleeps.\n');
      write('a.draft.md', '# Walrus\n\nIt eats.\n');
      symlinkSync('good.md', join(folder, 'link.draft.md'));
      write('out/b.md', '# Walrus\n\nIt dives.\n');
      write('in/.gitignore', 'b.md\n!*.draft.md\n');
      write('in/b.md', '# Walrus\n\nIt hides.\n');
      write('in/c.draft.md', '# Walrus\n\nIt swims.\n');
      expect(await ingestDocs({ ...names, source: folder })).toMatchObject({ added: 3, skipped: [], skipped_count: 0 });
      const found = ['good.md', 'in/c.draft.md', 'keep.draft.md'];
      expect((await find('walrus')).toSorted()).toEqual(found.map((path) => `sea@1/${path}#walrus`));
      write('.gitignore', '*\n');
      expect(await ingestDocs({ ...names, source: join(folder, 'in') })).toMatchObject({ pages: 1 });
      const answer = await ask('knowledge_ingest', { ...names, source: folder });
      expect(answer).toMatchObject({
        code: 'VALIDATION_ERROR',
        error: expect.stringContaining('.gitignore: it excludes'),
      });
      write('../node_modules/ignoring/.gitignore', 'dist\n');
      write('../node_modules/ignoring/README.md', '# Ignoring\n\nA zeppelin.\n');
      write('../node_modules/ignoring/dist/index.d.ts', 'export declare const zeppelin: number;\n');
      expect(await ingestDocs({ source: 'ignoring' })).toMatchObject({ pages: 2 });
    });

    test('rejects sources outside the allowed folders, missing and empty sources, and URLs', async () => {
      const opened = start();
      const { folder, write } = opened;
      for (const source of ['/etc', '..', '/etc/hostname', 'no such thing/x', `${folder}/../../..`, 'a\\b/c', '.']) {
        const isTop = source === '.';
        await refuses(opened, { source: isTop ? join(top, '..') : source }, 'PATH_REFUSED');
      }
      symlinkSync('/etc', join(folder, 'out'));
      await refuses(opened, { source: join(folder, 'out') }, 'PATH_REFUSED');
      mkdirSync(join(folder, '.hidden'));
      write('.hidden/a.md', '# walrus');
      await refuses(opened, { source: join(folder, '.hidden') }, 'PATH_REFUSED');
      await refuses(opened, { source: 'https://example.org/docs' }, 'VALIDATION_ERROR', 'not fetched');
      await refuses(opened, { source: 'no-such-package' }, 'VALIDATION_ERROR', 'no package in node_modules');
      await refuses(opened, { source: folder }, 'VALIDATION_ERROR', 'No readable docs');
      write('picture.png', 'x');
      await refuses(opened, { source: join(folder, 'picture.png') }, 'VALIDATION_ERROR', 'not a supported format');
      await refuses(opened, {}, 'VALIDATION_ERROR', 'either');
      await refuses(opened, { source: folder, pages: [{ path: 'a.md', content: 'x' }] }, 'VALIDATION_ERROR', 'either');
    });

    test.each([
      [{ library: '../x' }, 'INVALID_PARAMS'],
      [{ library: 'a b' }, 'INVALID_PARAMS'],
      [{ version: '1/2' }, 'INVALID_PARAMS'],
      [{ version: '' }, 'INVALID_PARAMS'],
      [{ pages: [] }, 'INVALID_PARAMS'],
      [{ pages: [{ path: '', content: 'walrus' }] }, 'INVALID_PARAMS'],
      [{ pages: [{ path: '../a.md', content: 'walrus' }] }, 'VALIDATION_ERROR'],
      [{ pages: [{ path: '/a.md', content: 'walrus' }] }, 'VALIDATION_ERROR'],
      [{ pages: [{ path: 'C:\\a.md', content: 'walrus' }] }, 'VALIDATION_ERROR'],
      [{ pages: [{ path: 'a\nb.md', content: 'walrus' }] }, 'VALIDATION_ERROR'],
      [{ pages: ['a.md', 'a.md'].map((path) => ({ path, content: 'walrus' })) }, 'VALIDATION_ERROR'],
      [{ pages: [{ path: 'a.md', content: '' }] }, 'VALIDATION_ERROR'],
      [{ pages: [{ path: 'a.md', content: 'walrus', colour: 1 }] }, 'INVALID_PARAMS'],
    ])('rejects %j and changes nothing', async (input, code) => {
      await refuses(start(), { pages: [{ path: 'a.md', content: '# walrus\n\nx' }], ...input }, code);
    });

    test('adds or replaces inline pages', async () => {
      const { ingestDocs, find } = start();
      const page = (path: string, content: string) => ({ path, content });
      await ingestDocs({ ...names, pages: [page('a.md', '# Walrus\n\nOne.'), page('b.txt', 'A gramophone.')] });
      const more = await ingestDocs({ ...names, pages: [page('c', '\ufeff## Zeppelin\r\n\r\nIt flies.')] });
      expect(more).toMatchObject({ added: 1, removed: 0, pages: 3, source_kind: 'pages' });
      expect(await find('zeppelin')).toEqual(['sea@1/c#zeppelin']);
      const all = await ingestDocs({ ...names, pages: [page('b.txt', 'A gramophone.')], replace: true });
      expect(all).toMatchObject({ unchanged: 1, removed: 2, pages: 1 });
      expect(await find('walrus')).toEqual([]);
    });

    test('reads README, docs and types of an installed package in its version, also through a link', async () => {
      const { ingestDocs, find, write, folder } = start();
      const files: Readonly<Record<string, string>> = {
        'package.json': '{"name": "whale", "version": "3.2.1", "types": "dist/index.d.ts"}',
        'README.md': '# whale\n\nSings.\n',
        'CHANGELOG.md': '# Changes\n\n## 3.2.1\n\nLouder.\n',
        'docs/use.md': '# Use\n\nCall `sing`.\n',
        'dist/index.d.ts': '/** Makes a noise. */\nexport declare function sing(): void;\n',
        'dist/index.d.mts': 'export declare function sing(): void;\n',
        'dist/only.d.cts': "export * from './index';\n",
        'dist/cjs/index.d.ts': '/** Makes a noise. */\nexport declare function sing(): void;\n',
        'dist/page.html': '<p>inner</p>',
        'node_modules/inner/README.md': '# inner\n\nNot whale.',
        'test/notes.md': '# notes\n\nnot this',
      };
      const store = `node_modules/.pnpm/whale@3.2.1/node_modules/whale`;
      for (const [path, content] of Object.entries(files)) write(`../${store}/${path}`, content);
      mkdirSync(join(top, 'node_modules'), { recursive: true });
      symlinkSync(join(top, store), join(top, 'node_modules', 'whale'));
      write('../node_modules/@types/plain/index.d.ts', 'export declare const plain: number;');
      write('../node_modules/plain/README.md', '# plain\n\nNo types of its own.\n');
      write('../node_modules/plain/package.json', '{"version": "bad version"}');
      expect(folder).toContain(top);
      const answer = await ingestDocs({ source: 'whale' });
      expect(answer).toMatchObject({ library: 'whale', version: '3.2.1', source: 'npm:whale', pages: 4, skipped: [] });
      expect(await find('noise', 'whale')).toEqual(['whale@3.2.1/dist/index.d.ts#sing']);
      expect(await find('inner')).toEqual([]);
      const plain = await ingestDocs({ source: 'npm:plain' });
      expect(plain).toMatchObject({ library: 'plain', version: 'latest', pages: 2 });
      expect(await find('number', 'plain')).toEqual(['plain@latest/@types/plain/index.d.ts#plain']);
    });

    test('ingests the local files that an llms.txt links to', async () => {
      const { ingestDocs, find, write, folder } = start();
      write('package.json', '{"name": "ocean", "version": "2.0.0"}');
      write(
        'llms.txt',
        '# Ocean\n\n> About water.\n\n- [Whales](https://example.org/docs/whales): big\n- [Seals](seals.md)\n- [Gone](gone.md)\n- [Out](../../secret.md)\n- [Self](llms.txt)\n',
      );
      write('docs/whales.md', 'They sing.\n');
      write('seals.md', '# Seal\n\nThey bark.\n');
      write('other.md', '# Other\n\nNot linked.\n');
      writeFileSync(join(folder, '..', 'secret.md'), '# Secret\n\nA peacock.\n');
      const answer = await ingestDocs({ source: join(folder, 'llms.txt') });
      expect(answer).toMatchObject({ library: 'ocean', version: '2.0.0', source_kind: 'llms', pages: 3, skipped: [] });
      expect(await find('sing')).toEqual(['ocean@2.0.0/docs/whales.md#top']);
      expect(await find('peacock')).toEqual([]);
    });

    test.each([
      ['[a](./a.md)', 'a.md'],
      ['[a](a.md#part "A title")', 'a.md'],
      ['[a](/a)', 'a.md'],
      ['[a](in/../a.md?raw=1)', 'a.md'],
      ['[a](<in/b c.md>)', 'in/b c.md'],
      ['[a](in/b%20c.md)', 'in/b c.md'],
      ['[a](in\\b%20c)', 'in/b c.md'],
      ['[a](in/d(1).md)', 'in/d(1).md'],
      ['[a][x]\n\n[x]: in/d(1).md', 'in/d(1).md'],
      ['[a](in/)', 'in/index.md'],
      ['[a](in/../../../secret.md)', undefined],
      ['[a](%2e%2e/secret.md)', undefined],
      ['[a](%ff.md)', undefined],
    ])('resolves the link %s of an llms.txt to %s', async (text, path) => {
      const { ingestDocs, find, write, folder } = start();
      for (const file of ['a.md', 'in/b c.md', 'in/d(1).md', 'in/index.md', '../secret.md']) write(file, 'A walrus.\n');
      write('llms.txt', `# Ocean\n\n${text}\n`);
      await ingestDocs({ ...names, source: join(folder, 'llms.txt') });
      expect(await find('walrus')).toEqual(path === undefined ? [] : [`sea@1/${path}#top`]);
    });

    test('reads a zip without its top folder, and skips and names encrypted and unsafe members', async () => {
      const { ingestDocs, find, write, folder } = start();
      const zip = createZip([
        { name: 'ocean-2/package.json', content: '{"name": "ocean", "version": "2.0.0"}' },
        { name: 'ocean-2/docs/', content: '' },
        { name: 'ocean-2\\docs\\', content: '' },
        { name: '__MACOSX/ocean-2/docs/._whales.md', content: Buffer.from([0, 5, 22, 7]) },
        { name: 'ocean-2/docs/._whales.md', content: Buffer.from([0, 5, 22, 7]) },
        { name: 'ocean-2/docs/whales.md', content: '# Walrus\n\nIt sings.\n' },
        { name: 'ocean-2/stored.txt', content: 'A gramophone.', isStored: true },
        { name: 'ocean-2/node_modules/x/README.md', content: '# no' },
        { name: '../../evil.md', content: '# evil' },
        { name: '/etc/evil.md', content: '# evil' },
        { name: 'ocean-2/..\\..\\evil.md', content: '# evil' },
        { name: 'ocean-2/locked.md', content: '# locked', isEncrypted: true },
        { name: 'ocean-2/broken.md', content: Buffer.from([0xff, 0xfe, 0xff]) },
      ]);
      write('ocean.zip', zip);
      const answer = await ingestDocs({ source: join(folder, 'ocean.zip') });
      expect(answer).toMatchObject({
        library: 'ocean',
        version: '2.0.0',
        source_kind: 'zip',
        pages: 2,
        skipped_count: 5,
      });
      expect(answer.skipped.map(({ path }) => path).toSorted()).toEqual([
        '../../evil.md',
        '/etc/evil.md',
        'broken.md',
        'locked.md',
        'ocean-2/..\\..\\evil.md',
      ]);
      expect(await find('walrus')).toEqual(['ocean@2.0.0/docs/whales.md#walrus']);
    });

    test('[KN13] rejects zip bombs, dishonest and damaged archives before anything is written', async () => {
      const opened = start();
      const { write, folder } = opened;
      const good = { name: 'a.md', content: '# walrus\n\nIt sings.\n' };
      const zeros = Buffer.alloc(3 * 1024 * 1024, 'a');
      const archives: readonly (readonly [string, Uint8Array | string, string])[] = [
        ['bomb', createZip([good, { name: 'b.md', content: zeros }]), 'far more'],
        ['liar', createZip([good, { name: 'b.md', content: zeros, saysBytes: 10 }]), 'far more'],
        ['short', createZip([good, { name: 'b.md', content: 'abc', saysBytes: 100 }]), 'damaged'],
        ['crc', createZip([good, { name: 'b.md', content: 'abc', saysCrc: 1 }]), 'damaged'],
        ['cut', createZip([good]).subarray(20), 'cannot be read'],
        ['tail', createZip([good]).subarray(0, -30), 'directory is missing'],
        ['text', 'PK no archive at all, only text', 'directory is missing'],
        ['empty', '', 'too short'],
        ['nothing', createZip([]), 'No readable docs'],
      ];
      for (const [name, bytes, says] of archives) {
        write(`${name}.zip`, bytes);
        await refuses(opened, { source: join(folder, `${name}.zip`) }, 'VALIDATION_ERROR', says);
      }
    });

    test('reports an interrupted ingest as incomplete and continues it', async () => {
      const { ingest, call, folder, write, ingestDocs, ask, find } = start();
      for (let i = 0; i < 200; i += 1) write(`p${i}.md`, `# Page ${i}\n\nWalrus number${i}.\n`);
      const stopping = new AbortController();
      const cut = call('knowledge_ingest', {
        signal: stopping.signal,
        progress: (done) => (done >= 100 ? stopping.abort(new Error('cut')) : undefined),
      });
      await expect(ingest.run({ ...names, source: folder }, cut)).rejects.toThrow('cut');
      const [left] = (await ask('knowledge_list'))['libraries'] as readonly { pages: number; complete: boolean }[];
      expect(left).toMatchObject({ complete: false });
      expect(left!.pages).toBeLessThan(200);
      const answer = await ingestDocs({ ...names, source: folder });
      expect(answer).toMatchObject({ added: 200 - left!.pages, unchanged: left!.pages, pages: 200, sections: 200 });
      expect((await ask('knowledge_list'))['libraries']).toMatchObject([{ complete: true }]);
      expect(await find('number199')).toEqual(['sea@1/p199.md#page-199']);
    });
  });
}
