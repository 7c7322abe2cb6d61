import { afterAll, describe } from 'vitest';
import { describeSemanticSearchContract } from '#kernel/search/semantic/semantic-search.contract.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { TestStore } from './storage/engine.ts';
import { postgresEngine } from './storage/postgres-engine.ts';
import { sqliteEngine } from './storage/sqlite-engine.ts';

for (const engine of [sqliteEngine(false), postgresEngine(false), postgresEngine(true)]) {
  describe(`semantic search on ${engine.name}`, () => {
    let place: Promise<TestStore> | undefined;
    const opened: Storage[] = [];

    afterAll(async () => {
      for (const storage of opened) await storage.close();
      await (await place)?.remove();
    });

    describeSemanticSearchContract(async () => {
      place ??= engine.create();
      const storage = await (await place).open();
      opened.push(storage);
      return storage;
    });
  });
}
