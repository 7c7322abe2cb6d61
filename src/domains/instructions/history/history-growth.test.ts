import { describe, expect, it, onTestFinished } from 'vitest';
import { createTestStore } from '#kernel/jobs/store.fixture.ts';
import type { Reader, Storage } from '#kernel/storage/port.ts';
import type { Sql } from '#kernel/storage/sql.ts';
import { makeFolders, openCatalog, toEntry } from '#tests/contract/catalog/open-catalog.fixture.ts';
import { createCall, newTenant } from '#tests/contract/storage/call.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { countVersions, recordVersions } from './version-store.ts';

/** Notes the statements of every read. */
function listenTo(storage: Storage) {
  const statements: string[] = [];
  const note = (query: Sql) => void statements.push(query.parts.join('?').replace(/\s+/g, ' ').trim());
  const heard = (db: Reader): Reader => ({
    ...{ tenant: db.tenant, now: db.now },
    get(query) {
      note(query);
      return db.get(query);
    },
    all(query) {
      note(query);
      return db.all(query);
    },
  });
  const listening: Storage = Object.create(storage, {
    read: { value: (...[call, work]: Parameters<Storage['read']>) => storage.read(call, (db) => work(heard(db))) },
  });
  return { listening, statements };
}

describe.each([sqliteEngine(false), postgresEngine(false)])('history growth on $name', (engine) => {
  const store = createTestStore(engine);

  it('[IN48] a thousand versions add no statement to get or search', async () => {
    const storage = await store.open();
    const { listening, statements } = listenTo(storage);
    const folders = await makeFolders();
    const { catalog, close } = openCatalog(listening, folders);
    onTestFinished(async () => {
      await close();
      await folders.remove();
    });
    const call = createCall(newTenant());
    const entry = toEntry({ id: 'grown', body: 'Keep commits small.' });
    const { hash } = await catalog.commit(call, [{ id: entry.id, before: null, after: entry }]);

    async function statementsOfReads(): Promise<readonly string[]> {
      statements.length = 0;
      expect((await catalog.lookUp(call, 'grown')).found?.entry.body).toBe('Keep commits small.');
      expect((await catalog.search(call, { text: 'commits', limit: 5 })).total).toBe(1);
      return [...statements];
    }

    await statementsOfReads();
    const before = await statementsOfReads();
    for (let at = 0; at < 10; at += 1) {
      await storage.write({ ...call, audit: 'none' }, function* (db) {
        for (let n = 0; n < 100; n += 1) {
          const version = { id: 'grown', what: 'update', etag: `etag-${at}-${n}`, document: '{}' } as const;
          yield* recordVersions(db, call, [version]);
        }
      });
    }
    expect((await storage.read(call, (db) => countVersions(db, 'grown')))?.count).toBe(1_001);
    // The first read after any commit looks at the head of the search index.
    await statementsOfReads();
    expect(await statementsOfReads()).toEqual(before);
    expect(before.filter((text) => /instruction_(?:versions|origins)/.test(text))).toEqual([]);
    expect((await catalog.state(call)).hash).toBe(hash);
    // Negative control: the listener hears the history.
    await listening.read(call, (db) => countVersions(db, 'grown'));
    expect(statements.at(-1)).toContain('instruction_versions');
  });
});
