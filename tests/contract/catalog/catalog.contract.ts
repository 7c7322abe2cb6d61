import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Catalog, EntryChange } from '#domains/instructions/catalog/catalog.ts';
import { etagOf, toEntryText } from '#domains/instructions/catalog/entry-json.ts';
import { instructionDocuments } from '#domains/instructions/catalog/search-documents.ts';
import type { InstructionEntry } from '#domains/instructions/entry-model.ts';
import { instructionTopic } from '#domains/instructions/instruction-ids.ts';
import type { Call } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { createCall, newTenant } from '../storage/call.ts';
import type { Engine, TestStore } from '../storage/engine.ts';
import { makeFolders, openCatalog, toEntry } from './open-catalog.fixture.ts';

const creation = (after: InstructionEntry): EntryChange => ({ id: after.id, before: null, after });

async function changeOf(catalog: Catalog, call: Call, id: string, part: Partial<InstructionEntry> | null) {
  const { entry, etag } = (await catalog.lookUp(call, id)).found!;
  return { id, before: etag, after: part === null ? null : { ...entry, ...part } };
}

/** What every source of entries guarantees. */
export function describeCatalogContract(engine: Engine): void {
  describe(`the catalog on ${engine.name}`, () => {
    let place: TestStore;
    let storage: Storage;
    let folders: Awaited<ReturnType<typeof makeFolders>>;
    let opened: ReturnType<typeof openCatalog>;
    let catalog: Catalog;

    beforeAll(async () => {
      place = await engine.create();
      storage = await place.open();
      folders = await makeFolders();
      opened = openCatalog(storage, folders);
      catalog = opened.catalog;
    });
    afterAll(async () => {
      await opened.close();
      await storage.close();
      await place.remove();
      await folders.remove();
    });

    const audited = async (call: Call) =>
      (await storage.changesSince(call.tenant, instructionTopic, 0, 500)).map(({ id, what, hash }) => ({
        id,
        what,
        hash,
      }));

    test('serves a committed entry with the etag of its stored bytes, as the same object until it changes', async () => {
      const call = createCall(newTenant());
      expect(await catalog.state(call)).toMatchObject({ count: 0, entries: [], hash: sha256Hex('') });
      const entry = toEntry({ id: 'one', categories: ['git'] });
      const state = await catalog.commit(call, [creation(entry)]);
      expect(state.entries).toEqual([entry]);
      expect(state.find('one')).toEqual({ entry, etag: etagOf(toEntryText(entry)) });
      expect(state.hash).toBe(sha256Hex(`one:${entry.sourceHash}`));
      expect(await catalog.state(call)).toBe(state);
      expect(await catalog.lookUp(call, 'one')).toEqual({
        found: state.find('one'),
        lateMaterialized: false,
        problem: undefined,
      });
    });

    test('never changes a state that was returned', async () => {
      const call = createCall(newTenant());
      const first = await catalog.commit(call, [creation(toEntry({ id: 'a' })), creation(toEntry({ id: 'b' }))]);
      const { hash } = first;
      const second = await catalog.commit(call, [await changeOf(catalog, call, 'a', { title: 'New' })]);
      const third = await catalog.commit(call, [await changeOf(catalog, call, 'b', null)]);
      expect([first, second, third].map(({ count }) => count)).toEqual([2, 2, 1]);
      expect([first.find('a')?.entry.title, second.find('a')?.entry.title]).toEqual(['a', 'New']);
      expect(first.hash).toBe(hash);
    });

    test('create, update and delete each write one audit row with the new etag', async () => {
      const call = createCall(newTenant());
      const created = (await catalog.commit(call, [creation(toEntry({ id: 'a' }))])).find('a')!.etag;
      const updated = (await catalog.commit(call, [await changeOf(catalog, call, 'a', { title: 'T' })])).find(
        'a',
      )!.etag;
      await catalog.commit(call, [await changeOf(catalog, call, 'a', null)]);
      expect(await audited(call)).toEqual([
        { id: 'a', what: 'create', hash: created },
        { id: 'a', what: 'update', hash: updated },
        { id: 'a', what: 'delete', hash: updated },
      ]);
    });

    test('rejects a change that is based on another state, with its whole batch', async () => {
      const call = createCall(newTenant());
      await catalog.commit(call, [creation(toEntry({ id: 'b' }))]);
      const before = await catalog.state(call);
      const batches: EntryChange[][] = [
        [creation(toEntry({ id: 'a' })), creation(toEntry({ id: 'b' }))],
        [creation(toEntry({ id: 'a' })), { id: 'b', before: 'stale', after: toEntry({ id: 'b' }) }],
        [creation(toEntry({ id: 'a' })), { id: 'b', before: 'stale', after: null }],
        [creation(toEntry({ id: 'a' })), { id: 'c', before: 'stale', after: toEntry({ id: 'c' }) }],
      ];
      for (const batch of batches) {
        await expect(catalog.commit(call, batch)).rejects.toMatchObject({ code: 'CONFLICT' });
      }
      const after = await catalog.reload(call);
      expect(after.entries).toEqual(before.entries);
      expect(await audited(call)).toHaveLength(1);
      expect(await catalog.listArchived(call, 10)).toEqual([]);
      expect((await catalog.search(call, { text: 'well', limit: 9 })).hits.map(({ id }) => id)).toEqual(['b']);
    });

    test('makes exactly one of several concurrent changes of one state', async () => {
      const call = createCall(newTenant());
      await catalog.commit(call, [creation(toEntry({ id: 'a' }))]);
      const changes = await Promise.all(
        Array.from({ length: 8 }, (_, i) => changeOf(catalog, call, 'a', { title: `T${i}` })),
      );
      const outcomes = await Promise.allSettled(
        changes.map((change) => catalog.commit(createCall(call.tenant), [change])),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const winner = outcomes.findIndex(({ status }) => status === 'fulfilled');
      expect((await catalog.lookUp(call, 'a')).found?.entry.title).toBe(`T${winner}`);
      expect(await audited(call)).toHaveLength(2);
    });

    test('stores many concurrent commits', async () => {
      const call = createCall(newTenant());
      const entries = Array.from({ length: 40 }, (_, i) => toEntry({ id: `n${i}`, body: `number ${i}` }));
      await Promise.all(entries.map((entry) => catalog.commit(createCall(call.tenant), [creation(entry)])));
      expect((await catalog.reload(call)).count).toBe(40);
      expect((await catalog.search(call, { text: 'number', limit: 100 })).total).toBe(40);
    });

    test('accepts a hundred changes per commit, each id once, and only valid ids', async () => {
      const call = createCall(newTenant());
      const many = Array.from({ length: 101 }, (_, i) => creation(toEntry({ id: `n${i}` })));
      await expect(catalog.commit(call, many)).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
      expect((await catalog.commit(call, many.slice(1))).count).toBe(100);
      const state = await catalog.state(call);
      const gone = many.slice(1).map(({ id }) => ({ id, before: state.find(id)!.etag, after: null }));
      expect((await catalog.commit(call, gone)).count).toBe(0);
      const twice = [creation(toEntry({ id: 'a' })), creation(toEntry({ id: 'a' }))];
      await expect(catalog.commit(call, twice)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      for (const id of ['../escape', 'a/b', 'A', '', '.', 'a.json']) {
        await expect(catalog.commit(call, [creation(toEntry({ id }))])).rejects.toMatchObject({
          code: 'VALIDATION_ERROR',
        });
        await expect(catalog.commit(call, [{ id, before: 'x', after: null }])).rejects.toMatchObject({
          code: 'VALIDATION_ERROR',
        });
        expect(await catalog.lookUp(call, id)).toMatchObject({ found: undefined });
      }
      const huge = toEntry({ id: 'huge', extensions: { text: 'x'.repeat(1024 * 1024) } });
      await expect(catalog.commit(call, [creation(huge)])).rejects.toMatchObject({ code: 'RESOURCE_LIMIT' });
      const broken = { ...toEntry({ id: 'broken' }), priority: 0 };
      await expect(catalog.commit(call, [creation(broken)])).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      expect((await catalog.reload(call)).count).toBe(0);
    });

    test('separates tenants', async () => {
      const [one, other] = [createCall(newTenant()), createCall(newTenant())];
      await catalog.commit(one, [creation(toEntry({ id: 'a', body: 'secret' }))]);
      expect((await catalog.state(other)).count).toBe(0);
      expect((await catalog.lookUp(other, 'a')).found).toBeUndefined();
      expect((await catalog.search(other, { text: 'secret', limit: 5 })).total).toBe(0);
      await catalog.commit(other, [creation(toEntry({ id: 'a', body: 'mine' }))]);
      expect((await catalog.reload(one)).find('a')?.entry.body).toBe('secret');
    });

    test('another process sees a change in its next lookup, list and search', async () => {
      const call = createCall(newTenant());
      const otherStorage = await place.open();
      const other = openCatalog(otherStorage, folders);
      expect((await other.catalog.state(call)).count).toBe(0);
      await catalog.commit(call, [creation(toEntry({ id: 'a', body: 'alpha' }))]);
      expect(await other.catalog.lookUp(call, 'a')).toMatchObject({
        lateMaterialized: true,
        found: { entry: { id: 'a' } },
      });
      await catalog.commit(call, [creation(toEntry({ id: 'b', body: 'beta' }))]);
      expect((await other.catalog.state(call)).count).toBe(2);
      expect((await other.catalog.search(call, { text: 'beta', limit: 5 })).hits.map(({ id }) => id)).toEqual(['b']);
      await other.catalog.commit(call, [await changeOf(other.catalog, call, 'a', null)]);
      expect((await catalog.lookUp(call, 'a')).found).toBeUndefined();
      expect((await catalog.state(call)).entries.map(({ id }) => id)).toEqual(['b']);
      expect(await audited(call)).toHaveLength(3);
      await other.close();
      await otherStorage.close();
    });

    test('archives removed entries, newest first, and restores them', async () => {
      const call = createCall(newTenant());
      const entries = ['a', 'b', 'c'].map((id) => toEntry({ id, body: `body of ${id}` }));
      await catalog.commit(call, entries.map(creation));
      for (const { id } of entries) await catalog.commit(call, [await changeOf(catalog, call, id, null)]);
      const archived = await catalog.listArchived(call, 10);
      expect(archived.map(({ entry }) => entry.id).sort()).toEqual(['a', 'b', 'c']);
      expect(archived.every(({ removedBy }) => removedBy === call.actor)).toBe(true);
      const [first] = archived;
      const rest = await catalog.listArchived(call, 10, { at: first!.removedAt, id: first!.entry.id });
      expect(rest).toEqual(archived.slice(1));
      await catalog.commit(call, [creation(toEntry({ id: 'b', body: 'another' }))]);
      expect(await catalog.restore(call, ['a', 'a', 'b', 'never', '../x'])).toEqual({
        restored: ['a'],
        missing: ['b', 'never', '../x'],
      });
      expect((await catalog.lookUp(call, 'a')).found?.entry).toEqual(entries[0]);
      expect((await catalog.search(call, { text: 'body', limit: 5 })).hits.map(({ id }) => id)).toEqual(['a']);
      expect((await catalog.listArchived(call, 10)).map(({ entry }) => entry.id).sort()).toEqual(['b', 'c']);
    });

    test('restores a hundred and thirty entries in several commits, with progress', async () => {
      const doneCounts: number[] = [];
      const call = createCall(newTenant(), { progress: (done) => void doneCounts.push(done) });
      const ids = Array.from({ length: 130 }, (_, i) => `n${i}`);
      for (const part of [ids.slice(0, 100), ids.slice(100)]) {
        await catalog.commit(
          call,
          part.map((id) => creation(toEntry({ id }))),
        );
      }
      const state = await catalog.state(call);
      for (const part of [ids.slice(0, 100), ids.slice(100)]) {
        await catalog.commit(
          call,
          part.map((id) => ({ id, before: state.find(id)!.etag, after: null })),
        );
      }
      expect((await catalog.restore(call, ids)).restored).toHaveLength(130);
      expect(doneCounts).toEqual([60, 120, 130]);
      expect((await catalog.state(call)).hash).toBe(state.hash);
    });

    test('does not repeat a request with a known key', async () => {
      const tenant = newTenant();
      const keyed = () => createCall(tenant, { idempotencyKey: 'k', requestHash: 'h' });
      await catalog.commit(keyed(), [creation(toEntry({ id: 'a' }))]);
      const again = await changeOf(catalog, createCall(tenant), 'a', { title: 'second' });
      const state = await catalog.commit(keyed(), [again]);
      expect(state.find('a')?.entry.title).toBe('a');
      expect(await audited(createCall(tenant))).toHaveLength(1);
    });

    test('filters searches by governance fields and can rebuild the index', async () => {
      const call = createCall(newTenant());
      await catalog.commit(call, [
        creation(toEntry({ id: 'a', body: 'deploy', categories: ['ops'], owner: 'team', priority: 1 })),
        creation(toEntry({ id: 'b', body: 'deploy', categories: ['git'], priority: 90 })),
      ]);
      const found = async (key: string, value: string) => {
        const filters = [{ key, any: [value] }];
        return (await catalog.search(call, { text: 'deploy', limit: 5, filters })).hits.map(({ id }) => id);
      };
      for (let round = 0; round < 2; round += 1) {
        expect(await found('category', 'ops')).toEqual(['a']);
        expect(await found('tier', 'P4')).toEqual(['b']);
        expect(await found('owner', 'team')).toEqual(['a']);
        expect((await found('status', 'approved')).sort()).toEqual(['a', 'b']);
        await opened.search.rebuild(call, instructionDocuments);
      }
    });

    test('lists files with their sizes and without paths', async () => {
      const call = createCall(newTenant());
      const entry = toEntry({ id: 'a', body: 'grüße' });
      await catalog.commit(call, [creation(entry)]);
      const files = await catalog.files(call);
      expect(files).toMatchObject([{ file: 'a.json', bytes: Buffer.byteLength(toEntryText(entry)) }]);
      expect(Math.abs(files[0]!.modifiedAt - Date.now())).toBeLessThan(60_000);
    });

    test('a new process serves the same catalog and records nothing twice', async () => {
      const call = createCall(newTenant());
      const entries = Array.from({ length: 20 }, (_, i) => toEntry({ id: `n${i}`, body: `number ${i}` }));
      const { hash } = await catalog.commit(call, entries.map(creation));
      const again = openCatalog(storage, folders);
      expect((await again.catalog.state(call)).hash).toBe(hash);
      expect((await again.catalog.search(call, { text: 'number', limit: 50 })).total).toBe(20);
      expect(await audited(call)).toHaveLength(20);
      await again.close();
      await expect(again.catalog.state(call)).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    });
  });
}
