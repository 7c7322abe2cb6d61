import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { knowledgeLimits } from '#domains/knowledge/knowledge-limits.ts';
import { listSectionIds } from '#domains/knowledge/libraries/library-documents.ts';
import { knowledgeDocuments } from '#domains/knowledge/search/collection.ts';
import type { Engine } from '../storage/engine.ts';
import { useKnowledge } from './open-knowledge.ts';

const guide = '# Guide\n\nHow to begin.\n\n## Walrus hooks\n\nA walrus sings.\n\n## Zeppelins\n\nThey fly.\n';

export function describeLibraries(engine: Engine): void {
  describe(`libraries on ${engine.name}`, () => {
    const { start, openOther, clock } = useKnowledge(engine);

    test('[KN11] [KN12] ingests a folder, finds its sections, and later ingests only changes', async () => {
      const { ingestDocs, find, write, remove, folder } = start();
      write('guide.md', guide);
      write('api/use.md', '# app.use\n\nRegisters a service.\n');
      write('node_modules/x/README.md', '# Not mine\n');
      const input = { source: folder, library: 'sea', version: '1.0.0' };
      expect(await ingestDocs(input)).toMatchObject({
        ...{ library: 'sea', version: '1.0.0', added: 2, changed: 0, removed: 0, unchanged: 0, pages: 2, sections: 4 },
        ...{ source_kind: 'folder', skipped: [], skipped_count: 0 },
      });
      expect(await find('walrus')).toEqual(['sea@1.0.0/guide.md#walrus-hooks']);
      expect(await ingestDocs(input)).toMatchObject({ added: 0, changed: 0, removed: 0, unchanged: 2, sections: 4 });
      write('guide.md', guide.replace('A walrus sings', 'A narwhal sings').replace('## Zeppelins\n\nThey fly.\n', ''));
      remove('api');
      write('new.md', '# New\n\nA gramophone.\n');
      expect(await ingestDocs({ ...input, dry_run: true })).toMatchObject({
        added: 1,
        changed: 1,
        removed: 1,
        dry_run: true,
      });
      expect(await find('gramophone')).toEqual([]);
      expect(await ingestDocs(input)).toMatchObject({
        added: 1,
        changed: 1,
        removed: 1,
        unchanged: 0,
        pages: 2,
        sections: 3,
      });
      expect(await find('narwhal')).toEqual(['sea@1.0.0/guide.md#walrus-hooks']);
      expect(await find('zeppelins')).toEqual([]);
      expect(await find('registers service')).toEqual([]);
      expect(await find('gramophone')).toEqual(['sea@1.0.0/new.md#new']);
    });

    test('lists libraries and versions page by page', async () => {
      const { ingestDocs, find, ask } = start();
      const pages = [{ path: 'a.md', content: '# Walrus\n\nIt sings.\n' }];
      for (const [library, version] of [
        ['b', '2.0.0'],
        ['a', '1.0.0'],
        ['b', '1.0.0'],
        ['@scope/c', '1.0.0-rc.1'],
      ]) {
        await ingestDocs({ library, version, pages });
      }
      expect((await find('walrus')).toSorted()).toEqual([
        '@scope/c@1.0.0-rc.1/a.md#walrus',
        'a@1.0.0/a.md#walrus',
        'b@1.0.0/a.md#walrus',
        'b@2.0.0/a.md#walrus',
      ]);
      const listed: unknown[] = [];
      for (let cursor: unknown; ; ) {
        const page = await ask('knowledge_list', { limit: 3, ...(cursor === undefined ? {} : { cursor }) });
        listed.push(...(page['libraries'] as readonly { library: string; version: string }[]));
        cursor = page['next_cursor'];
        if (cursor === undefined) break;
      }
      expect(listed).toMatchObject([
        { library: '@scope/c', version: '1.0.0-rc.1', pages: 1, sections: 1, complete: true, source_kind: 'pages' },
        { library: 'a' },
        { library: 'b', version: '1.0.0' },
        { library: 'b', version: '2.0.0', updated_at: '2026-01-01T00:00:00.000Z' },
      ]);
      expect((await ask('knowledge_list', { library: 'b', limit: 1 }))['libraries']).toHaveLength(1);
    });

    test('[KN14] hides a removed library everywhere and restores it within thirty days', async () => {
      const { ingestDocs, find, ask, libraries, call } = start();
      const pages = [
        { path: 'a.md', content: '# Walrus\n\nIt sings.\n' },
        { path: 'b.md', content: '# Narwhal\n\nIt swims.\n' },
      ];
      await ingestDocs({ library: 'sea', version: '1', pages });
      await ingestDocs({ library: 'sea', version: '2', pages });
      expect(await ask('knowledge_remove', { library: 'sea' })).toMatchObject({ code: 'VALIDATION_ERROR' });
      expect(await find('walrus')).toHaveLength(2);
      expect(await ask('knowledge_remove', { library: 'sea', version: '1' })).toEqual({
        library: 'sea',
        removed: [{ library: 'sea', version: '1', pages: 2, sections: 2 }],
      });
      expect(await find('walrus')).toEqual(['sea@2/a.md#walrus']);
      expect(await ask('knowledge_remove', { library: 'sea', version: '1' })).toMatchObject({ code: 'NOT_FOUND' });
      const restored = await libraries.restore({ library: 'sea', version: '1' }, call());
      expect(restored).toMatchObject({ library: 'sea', version: '1', pages: 2, sections: 2, complete: true });
      expect(await find('narwhal')).toHaveLength(2);
      await expect(libraries.restore({ library: 'sea', version: '1' }, call())).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
      expect((await ask('knowledge_remove', { library: 'sea', confirm: true }))['removed']).toHaveLength(2);
      expect(await find('walrus')).toEqual([]);
      expect(await ask('knowledge_list')).toEqual({ libraries: [] });
    });

    test('keeps the documents of a library that replaces a removed one', async () => {
      const { ingestDocs, find, ask, libraries, call } = start();
      await ingestDocs({ library: 'sea', version: '1', pages: [{ path: 'a.md', content: '# Walrus\n\nOld.\n' }] });
      await ask('knowledge_remove', { library: 'sea', version: '1' });
      await ingestDocs({ library: 'sea', version: '1', pages: [{ path: 'a.md', content: '# Walrus\n\nYoung.\n' }] });
      await expect(libraries.restore({ library: 'sea', version: '1' }, call())).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect(await find('young')).toEqual(['sea@1/a.md#walrus']);
      expect(await find('old')).toEqual([]);
    });

    test('sweeps a removed library when it can no longer be restored', async () => {
      const { ingestDocs, find, ask, libraries, call, tenant } = start();
      await ingestDocs({ library: 'sea', version: '1', pages: [{ path: 'a.md', content: '# Walrus\n\nOld.\n' }] });
      await ask('knowledge_remove', { library: 'sea', version: '1' });
      const [sweep] = libraries.jobs(async () => [tenant]);
      await sweep!.run(new AbortController().signal);
      await libraries.restore({ library: 'sea', version: '1' }, call());
      expect(await find('walrus')).toHaveLength(1);
      await ask('knowledge_remove', { library: 'sea', version: '1' });
      clock.advance(31 * 86_400_000);
      await sweep!.run(new AbortController().signal);
      await expect(libraries.restore({ library: 'sea', version: '1' }, call())).rejects.toMatchObject({
        code: 'NOT_FOUND',
      });
    });

    test('hides a library whose removal was interrupted, and finishes it in the sweep', async () => {
      const { ingestDocs, find, indexed, libraries, call, tenant, failure } = start();
      await ingestDocs({ library: 'sea', version: '1', pages: [{ path: 'a.md', content: '# Walrus\n\nOld.\n' }] });
      failure.onForget = true;
      await expect(libraries.remove({ library: 'sea', version: '1' }, call('knowledge_remove'))).rejects.toThrow(
        'simulated kill',
      );
      failure.onForget = false;
      expect(await indexed('walrus')).toEqual(['sea@1/a.md#walrus']);
      expect(await find('walrus')).toEqual([]);
      await libraries.jobs(async () => [tenant])[0]!.run(new AbortController().signal);
      expect(await indexed('walrus')).toEqual([]);
    });

    test('does not report an ingest as complete if the library is removed meanwhile', async () => {
      const { libraries, call, ask } = start();
      const edition = { library: 'sea', version: '1' };
      const source = { kind: 'folder', name: 'docs' } as const;
      const sections = [{ anchor: 'a', level: 1, title: 'A', breadcrumb: ['A'], text: 'x' }];
      const page = (path: string) => ({ path, title: 'A', category: 'docs', hash: path, sections });
      await libraries.pages.put(edition, source, [page('one.md')], call());
      await libraries.remove(edition, call());
      await libraries.pages.put(edition, source, [page('two.md')], call());
      const both = [page('one.md'), page('two.md')];
      expect(await libraries.pages.finish(edition, source, both, call())).toBeUndefined();
      expect((await ask('knowledge_list'))['libraries']).toMatchObject([{ pages: 1, complete: false }]);
      await libraries.pages.put(edition, source, [page('one.md')], call());
      expect(await libraries.pages.finish(edition, source, both, call())).toMatchObject({ pages_count: 2 });
      expect((await ask('knowledge_list'))['libraries']).toMatchObject([{ pages: 2, complete: true }]);
    });

    test('[KN13] does not report a mixture of two concurrent sources as complete', async () => {
      const { libraries, call, ask } = start();
      const edition = { library: 'sea', version: '1' };
      const sourceOf = (name: string) => ({ kind: 'folder', name }) as const;
      const sections = [{ anchor: 'a', level: 1, title: 'A', breadcrumb: ['A'], text: 'x' }];
      const page = (path: string, hash: string) => ({ path, title: 'A', category: 'docs', hash, sections });
      const mine = [page('a.md', 'mine'), page('b.md', 'mine')];
      const theirs = [page('a.md', 'theirs'), page('b.md', 'theirs')];
      await libraries.pages.put(edition, sourceOf('one'), mine, call());
      await libraries.pages.put(edition, sourceOf('two'), theirs.slice(1), call());
      expect(await libraries.pages.finish(edition, sourceOf('one'), mine, call())).toBeUndefined();
      expect(await libraries.pages.finish(edition, sourceOf('two'), theirs, call())).toBeUndefined();
      expect((await ask('knowledge_list'))['libraries']).toMatchObject([{ pages: 2, complete: false }]);
      await libraries.pages.put(edition, sourceOf('two'), theirs.slice(0, 1), call());
      expect(await libraries.pages.finish(edition, sourceOf('two'), theirs, call())).toMatchObject({ pages_count: 2 });
    });

    test('merges the index after many pages and does not open it after few', async () => {
      const { libraries, search, tenant } = start();
      const maintain = vi.spyOn(search, 'maintain');
      onTestFinished(() => maintain.mockRestore());
      await libraries.mergeIndex(tenant, knowledgeLimits.mergePagesCount - 1);
      expect(maintain).not.toHaveBeenCalled();
      await libraries.mergeIndex(tenant, knowledgeLimits.mergePagesCount);
      expect(maintain).toHaveBeenCalledExactlyOnceWith(tenant, knowledgeDocuments, true);
    });

    test('records every ingest and removal in the change log', async () => {
      const { ingestDocs, ask, storage, tenant } = start();
      await ingestDocs({ library: 'sea', version: '1', pages: [{ path: 'a.md', content: '# Walrus\n\nIt sings.\n' }] });
      await ask('knowledge_remove', { library: 'sea' });
      const changes = await storage.changesSince(tenant, 'library', 0, 10);
      expect(changes.map(({ id, what }) => `${what} ${id}`)).toEqual(['create sea@1', 'update sea@1', 'delete sea@1']);
    });

    test('lists all documents exactly once for any page size and rebuilds the index from them', async () => {
      const { ingestDocs, ask, call, storage, search, indexed } = start();
      const page = (path: string) => ({ path, content: '# Walrus\n\nx\n\n## Narwhal\n\ny\n\n## Seal\n\nz\n' });
      const pages = ['a.md', 'a/b.md', 'B.md', 'c#d.md'].map(page);
      await ingestDocs({ library: 'sea', version: '1', pages });
      await ingestDocs({ library: '@sea/deep', version: '2', pages: pages.slice(0, 2) });
      await ingestDocs({ library: 'gone', version: '1', pages });
      await ask('knowledge_remove', { library: 'gone' });
      const inOrder = ['B.md', 'a.md', 'a/b.md', 'c#d.md'];
      const anchors = ['walrus', 'narwhal', 'seal'];
      const wanted = [
        ...['a.md', 'a/b.md'].flatMap((path) => anchors.map((anchor) => `@sea/deep@2/${path}#${anchor}`)),
        ...inOrder.flatMap((path) => anchors.map((anchor) => `sea@1/${path}#${anchor}`)),
      ];
      for (const limit of [1, 2, 3, 5, 7, 18, 100]) {
        const all: string[] = [];
        for (;;) {
          const some = await storage.read(call(), (db) => listSectionIds(db, all.at(-1), limit));
          expect(some.length).toBeLessThanOrEqual(limit);
          if (some.length === 0) break;
          all.push(...some);
        }
        expect(all).toEqual(wanted);
      }
      await search.rebuild(call(), knowledgeDocuments);
      expect((await indexed('seal')).toSorted()).toEqual(wanted.filter((id) => id.endsWith('#seal')).toSorted());
    });

    test('hides the libraries of other tenants', async () => {
      const ada = start();
      const bob = start();
      const pages = [{ path: 'a.md', content: '# Walrus\n\nIt sings.\n' }];
      await ada.ingestDocs({ library: 'sea', version: '1', pages });
      expect(await bob.find('walrus')).toEqual([]);
      expect(await bob.ask('knowledge_list')).toEqual({ libraries: [] });
      expect(await bob.ask('knowledge_remove', { library: 'sea' })).toMatchObject({ code: 'NOT_FOUND' });
      await bob.ingestDocs({ library: 'sea', version: '1', pages });
      await bob.ask('knowledge_remove', { library: 'sea' });
      expect(await ada.find('walrus')).toHaveLength(1);
    });

    test('keeps a library whole if two processes ingest it concurrently', async () => {
      const { tenant, folder, write, ingestDocs, find } = start();
      for (let i = 0; i < 120; i += 1) write(`p${i}.md`, `# Page ${i}\n\nWalrus number${i}.\n\n## More\n\nText.\n`);
      const second = (await openOther()).as(tenant);
      const input = { source: folder, library: 'sea', version: '1' };
      const answers = await Promise.all([ingestDocs(input), second.ingestDocs(input)]);
      for (const answer of answers) expect(answer).toMatchObject({ pages: 120, sections: 240 });
      expect(await ingestDocs(input)).toMatchObject({ unchanged: 120, pages: 120, sections: 240 });
      expect(await find('number77')).toEqual(['sea@1/p77.md#page-77']);
    });
  });
}
