import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { insertJournal, putSeen } from '#domains/instructions/catalog/catalog-store.ts';
import { etagOf, toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { folderOfTenant } from '#domains/instructions/catalog/files/folder-names.ts';
import { openFolder } from '#domains/instructions/catalog/files/read-file.ts';
import { instructionDocuments } from '#domains/instructions/catalog/search-documents.ts';
import type { InstructionEntry } from '#domains/instructions/entry-model.ts';
import { instructionLimits } from '#domains/instructions/instruction-limits.ts';
import type { Call } from '#kernel/call.ts';
import { createCountingEmbedder } from '#kernel/search/semantic/contract/semantic-search.fixture.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { createCall, newTenant } from '../storage/call.ts';
import type { Engine, TestStore } from '../storage/engine.ts';
import { type CatalogParts, makeFolders, openCatalog, toEntry } from './open-catalog.fixture.ts';

/** Texts of the debug embedder are slightly similar by chance. */
const clearly = 0.5;

function createHouse(engine: Engine) {
  let place: TestStore;
  let storage: Storage;
  let folders: Awaited<ReturnType<typeof makeFolders>>;

  beforeAll(async () => {
    place = await engine.create();
    storage = await place.open();
    folders = await makeFolders();
  });
  afterAll(async () => {
    await storage.close();
    await place.remove();
    await folders.remove();
  });

  /** One process, with an embedder that counts its calls. */
  function open(call: Call, parts: CatalogParts = {}) {
    const embedder = createCountingEmbedder();
    const { catalog, semantic, search, close } = openCatalog(storage, folders, { ...parts, embedder });
    onTestFinished(close);
    const add = (...entries: readonly InstructionEntry[]) =>
      catalog.commit(
        call,
        entries.map((after) => ({ id: after.id, before: null, after })),
      );
    async function change(id: string, part: Partial<InstructionEntry> | null) {
      const { entry, etag } = (await catalog.lookUp(call, id)).found!;
      await catalog.commit(call, [{ id, before: etag, after: part === null ? null : { ...entry, ...part } }]);
    }
    const find = async (text: string) =>
      (await catalog.embeddings.nearestNow(call, text, 500))!.hits
        .filter(({ similarity }) => similarity > clearly)
        .map(({ id }) => id);
    const progress = () => semantic.progress(call, instructionDocuments);
    const settle = () => semantic.settle(call.tenant);
    return { embedder, catalog, semantic, search, add, change, find, progress, settle };
  }

  const folderOf = (call: Call) => {
    const folder = folderOfTenant(call.tenant, folders);
    openFolder(folder);
    return folder;
  };
  const drop = (call: Call, entry: InstructionEntry) =>
    writeFileSync(join(folderOf(call), `${entry.id}.json`), toEntryText(entry));

  function openWithout() {
    const without = openCatalog(storage, folders);
    onTestFinished(without.close);
    return without;
  }

  return { open, openWithout, drop, folderOf, storage: () => storage };
}

/** Semantic search follows the catalog and costs nothing before its first use. */
export function describeCatalogMeaning(engine: Engine): void {
  describe(`semantic search of the catalog on ${engine.name}`, () => {
    const { open, openWithout } = createHouse(engine);

    test('[IN47] embeds nothing and queues nothing before the first semantic search', async () => {
      const call = createCall(newTenant());
      const { embedder, catalog, add, change, progress, settle } = open(call);
      await add(toEntry({ id: 'a', body: 'alpha' }), toEntry({ id: 'b', body: 'beta' }));
      await change('a', { title: 'New' });
      await change('b', null);
      await catalog.search(call, { text: 'alpha', limit: 9 });
      await settle();
      expect(await progress()).toMatchObject({ embedded: 0, pending: 0 });
      expect([embedder.embedded, embedder.queries]).toEqual([[], 0]);
    });

    test('the first search embeds existing entries in the background, with title, categories, summary and body', async () => {
      const call = createCall(newTenant());
      const { embedder, add, find, progress } = open(call);
      const semanticSummary = 'About first letters';
      await add(
        toEntry({ id: 'a', title: 'Letters', categories: ['greek'], semanticSummary, body: 'alpha' }),
        toEntry({ id: 'b', title: 'Others', body: 'beta\n\nmore' }),
      );
      expect(await find('alpha')).toEqual([]);
      await expect.poll(progress, { timeout: 120_000, interval: 20 }).toMatchObject({ embedded: 2, pending: 0 });
      expect([await find('letters about greek alpha'), await find('others beta more')]).toEqual([['a'], ['b']]);
      expect(embedder.embedded).toEqual(['Letters\ngreek\nAbout first letters\n\nalpha', 'Others\n\nbeta\n\nmore']);
    });

    test('[IN47] follows every later write: added, changed, removed, restored', async () => {
      const call = createCall(newTenant());
      const { catalog, add, change, find, settle } = open(call);
      await find('anything');
      await settle();
      await add(toEntry({ id: 'a', body: 'alpha' }), toEntry({ id: 'b', body: 'beta' }));
      await settle();
      expect([await find('alpha'), await find('beta')]).toEqual([['a'], ['b']]);
      await change('a', { body: 'gamma', semanticSummary: 'gamma' });
      await settle();
      expect([await find('alpha'), await find('gamma')]).toEqual([[], ['a']]);
      await change('a', null);
      expect(await find('gamma')).toEqual([]);
      await catalog.restore(call, ['a']);
      await settle();
      expect(await find('gamma')).toEqual(['a']);
    });

    test('a process that does not search continues what another process began', async () => {
      const call = createCall(newTenant());
      const searcher = open(call);
      await searcher.find('anything');
      await searcher.settle();
      const writer = open(call);
      await writer.add(toEntry({ id: 'a', body: 'alpha' }));
      expect(await writer.progress()).toMatchObject({ embedded: 0, pending: 1 });
      await writer.settle();
      expect(writer.embedder.embedded).toHaveLength(1);
      expect(await searcher.find('alpha')).toEqual(['a']);
    });

    test('embeds entries that another process wrote before the first search', async () => {
      const call = createCall(newTenant());
      const searcher = open(call);
      await searcher.catalog.state(call);
      await open(call).add(toEntry({ id: 'a', body: 'alpha' }));
      await searcher.find('alpha');
      await searcher.settle();
      expect(await searcher.find('alpha')).toEqual(['a']);
    });

    test('queues nothing without an embedder, and finds everything once one is configured', async () => {
      const call = createCall(newTenant());
      const first = open(call);
      await first.add(toEntry({ id: 'a', body: 'alpha' }));
      await first.find('alpha');
      await first.settle();
      const without = openWithout();
      expect(await without.catalog.embeddings.nearestNow(call, 'alpha', 9)).toBeUndefined();
      await without.catalog.commit(call, [{ id: 'b', before: null, after: toEntry({ id: 'b', body: 'beta' }) }]);
      expect(await without.semantic.progress(call, instructionDocuments)).toEqual({
        embedder: undefined,
        embedded: 0,
        pending: 0,
      });
      const later = open(call);
      await later.find('beta');
      await later.settle();
      expect(await later.find('beta')).toEqual(['b']);
      expect(later.embedder.embedded).toHaveLength(1);
    });

    test('embeds all of a catalog that is longer than a page', async () => {
      const call = createCall(newTenant());
      const { add, catalog, embedder, find, settle } = open(call);
      const count = 620;
      for (let from = 0; from < count; from += instructionLimits.commitChangesCount) {
        const size = Math.min(instructionLimits.commitChangesCount, count - from);
        await add(
          ...Array.from({ length: size }, (_, i) => toEntry({ id: `n${from + i}`, body: `number ${from + i}` })),
        );
      }
      await find('number');
      await settle();
      expect((await catalog.state(call)).count).toBe(count);
      expect(new Set(embedder.embedded).size).toBe(count);
    });
  });
}

/** The same for a folder of files: outside edits, and changes that are not complete. */
export function describeFolderMeaning(engine: Engine): void {
  describe('semantic search of a folder', () => {
    const { open, drop, folderOf, storage } = createHouse(engine);

    test('follows files that are added, edited or deleted outside the program', async () => {
      const call = createCall(newTenant());
      const { catalog, find, settle } = open(call);
      await find('anything');
      const follow = async () => {
        await catalog.reload(call);
        await catalog.search(call, { text: 'anything', limit: 1 });
        await settle();
      };
      await follow();
      drop(call, toEntry({ id: 'a', body: 'alpha' }));
      await follow();
      expect(await find('alpha')).toEqual(['a']);
      drop(call, toEntry({ id: 'a', body: 'gamma delta' }));
      await follow();
      expect([await find('alpha'), await find('gamma delta')]).toEqual([[], ['a']]);
      rmSync(join(folderOf(call), 'a.json'));
      await follow();
      expect(await find('gamma delta')).toEqual([]);
    });

    test('scans a fresh clone without queueing anything, and embeds hundreds of new files after the first search', async () => {
      const call = createCall(newTenant());
      const { catalog, embedder, find, progress, settle } = open(call);
      const count = instructionLimits.rebuildChangesCount;
      const clone = (prefix: string) => {
        for (let i = 0; i < count; i += 1) drop(call, toEntry({ id: `${prefix}${i}`, body: `${prefix} number ${i}` }));
      };
      clone('a');
      expect((await catalog.search(call, { text: 'number', limit: 1 })).total).toBe(count);
      await settle();
      expect([await progress(), embedder.embedded]).toEqual([
        { embedder: 'debug-hash-1', embedded: 0, pending: 0 },
        [],
      ]);
      await find('number');
      await settle();
      expect(await progress()).toMatchObject({ embedded: count, pending: 0 });
      clone('b');
      const later = open(call);
      await later.catalog.search(call, { text: 'number', limit: 1 });
      await later.settle();
      expect(await progress()).toMatchObject({ embedded: 2 * count, pending: 0 });
    });

    test('embeds a change that is decided but not on disk yet as it was decided', async () => {
      const call = createCall(newTenant());
      const { embedder, add, find, semantic, settle } = open(call);
      await add(toEntry({ id: 'a', body: 'alpha' }), toEntry({ id: 'b', body: 'beta' }));
      await find('anything');
      await settle();
      const after = toEntry({ id: 'a', body: 'gamma' });
      const text = toEntryText(after);
      // Before the write, because its notes may be embedded before the test waits for them.
      embedder.embedded.length = 0;
      await storage().write({ ...call, audit: 'none' }, function* (db) {
        for (const [id, etag, document] of [
          ['a', 'etag of an older one that is still open', toEntryText(toEntry({ id: 'a', body: 'older' }))],
          ['a', etagOf(text), text],
          ['a', 'yet another that is still open', toEntryText(toEntry({ id: 'a', body: 'old' }))],
        ] as const) {
          yield* insertJournal(db, { batch: etag, id, before_etag: 'x', after_etag: etag, document });
        }
        yield* putSeen(db, 'a', etagOf(text));
        yield* semantic.note(db, instructionDocuments, 'a');
      });
      await settle();
      expect(embedder.embedded).toEqual(['a\n\ngamma']);
      expect(await find('gamma')).toEqual(['a']);
    });

    test('includes an entry that is being written while all entries are listed', async () => {
      const call = createCall(newTenant());
      const reached = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const flushFolder = async () => {
        reached.resolve();
        await gate.promise;
      };
      const { embedder, add, find, settle } = open(call, { flushFolder });
      const adding = add(toEntry({ id: 'a', body: 'alpha' }));
      await reached.promise;
      await find('anything');
      await settle();
      expect(embedder.embedded).toEqual(['a\n\nalpha']);
      gate.resolve();
      await adding;
    });

    test('checks for unannounced edits again before all entries are listed', async () => {
      const call = createCall(newTenant());
      const aroundSource: CatalogParts['aroundSource'] = (_tenant, create) => (sink) => ({
        ...create(sink),
        refresh: async () => {},
      });
      const { catalog, find, settle } = open(call, { aroundSource });
      await catalog.state(call);
      drop(call, toEntry({ id: 'a', body: 'alpha' }));
      await find('alpha');
      await settle();
      expect(await find('alpha')).toEqual(['a']);
    });
  });
}
