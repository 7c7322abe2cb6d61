import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { CatalogDeps } from '#domains/instructions/catalog/create-catalog.ts';
import { instructionTopic } from '#domains/instructions/instruction-ids.ts';
import { type Call, localTenant } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { sql } from '#kernel/storage/sql.ts';
import { createCall } from '../storage/call.ts';
import { createSqliteTestStore } from '../storage/sqlite-engine.ts';
import { makeFolders, openCatalog } from './open-catalog.fixture.ts';

/** A store with an instructions folder, and any number of catalogs over them. */
export async function openCatalogFolder() {
  const place = await createSqliteTestStore();
  const folders = await makeFolders();
  const storage = await place.open();
  const closes: (() => Promise<void>)[] = [];
  mkdirSync(folders.folder, { recursive: true });
  onTestFinished(async () => {
    for (const close of closes.toReversed()) await close();
    await storage.close();
    await folders.remove();
    await place.remove();
  });
  return {
    place,
    folders,
    storage,
    path: (name: string) => join(folders.folder, name),
    call: (part: Partial<Call> = {}): Call => createCall(localTenant, part),
    /** Sweeps with every list by default. */
    open(part: Partial<CatalogDeps> = {}, over: Storage = storage) {
      const opened = openCatalog(over, folders, { sweepEveryMs: -1, ...part });
      closes.push(opened.close);
      return opened;
    },
    /** Actor, change and id, in order. */
    auditRows: () =>
      storage.read(createCall(localTenant), function* (db) {
        const rows = yield* db.all(
          sql<{ actor: string; what: string; id: string }>`
            select actor, what, id from changes where tenant = ${localTenant} and topic = ${instructionTopic} order by seq`,
        );
        return rows.map(({ actor, what, id }) => `${actor} ${what} ${id}`);
      }),
    journalRows: () =>
      storage.read(createCall(localTenant), function* (db) {
        return yield* db.all(
          sql<{
            id: string;
            state: string;
          }>`select id, state from instruction_journal where tenant = ${localTenant} order by id`,
        );
      }),
  };
}
