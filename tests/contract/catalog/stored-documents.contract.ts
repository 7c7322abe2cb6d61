import { writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { sql } from '#kernel/storage/sql.ts';
import { createCall, newTenant } from '../storage/call.ts';
import { postgresEngine } from '../storage/postgres-engine.ts';
import { openCatalogFolder } from './catalog-folder.fixture.ts';
import { makeFolders, openCatalog, toEntry } from './open-catalog.fixture.ts';

const byHand = { id: 'by-hand', body: 'Do it.\r\n', categories: ['B', 'a', 'scope:user:Ann'], colour: 'red' };

/** The stored document, exactly as it is, next to the served entry. */
export function describeStoredDocuments(): void {
  describe('the stored document of an entry in a folder', () => {
    test('is the content of the file, even if it cannot be served', async () => {
      const folder = await openCatalogFolder();
      writeFileSync(folder.path('by-hand.json'), JSON.stringify(byHand));
      writeFileSync(folder.path('list.json'), '[1]');
      writeFileSync(folder.path('cut.json'), '{"id":');
      const { catalog } = folder.open();
      const kept = toEntry({ id: 'kept' });
      await catalog.commit(folder.call(), [{ id: 'kept', before: null, after: kept }]);
      expect(await catalog.storedJson(folder.call(), 'kept')).toEqual(kept);
      expect(await catalog.storedJson(folder.call(), 'by-hand')).toEqual(byHand);
      expect((await catalog.lookUp(folder.call(), 'by-hand')).found?.entry.categories).toEqual(['a', 'b']);
      expect(await catalog.storedJson(folder.call(), 'list')).toEqual([1]);
      for (const id of ['cut', 'unknown', '../cut', 'CUT', '']) {
        expect(await catalog.storedJson(folder.call(), id), id).toBeUndefined();
      }
    });
  });

  describe('the stored document of an entry in a table', () => {
    test('is the content of the row, even if it cannot be served', async () => {
      const place = await postgresEngine(false).create();
      const storage = await place.open();
      const folders = await makeFolders();
      const { catalog, close } = openCatalog(storage, folders);
      const tenant = newTenant();
      const call = () => createCall(tenant);
      const documents = { 'by-hand': JSON.stringify(byHand), list: '[1]', cut: '{"id":' };
      await storage.write({ ...call(), audit: 'none' }, function* (db) {
        for (const [id, document] of Object.entries(documents)) {
          yield* db.run(sql`
            insert into instructions (tenant, id, document, etag, at)
            values (${db.tenant}, ${id}, ${document}, ${sha256Hex(document)}, ${db.now})`);
        }
      });
      const kept = toEntry({ id: 'kept' });
      await catalog.commit(call(), [{ id: 'kept', before: null, after: kept }]);
      expect(await catalog.storedJson(call(), 'kept')).toEqual(kept);
      expect(await catalog.storedJson(call(), 'by-hand')).toEqual(byHand);
      expect(await catalog.storedJson(call(), 'list')).toEqual([1]);
      for (const id of ['cut', 'unknown', '../cut', 'CUT', ''])
        expect(await catalog.storedJson(call(), id), id).toBeUndefined();
      await close();
      await storage.close();
      await place.remove();
      await folders.remove();
    });
  });
}
