import { afterAll, beforeAll, describe } from 'vitest';
import type { Storage } from '#kernel/storage/port.ts';
import { describeAudit } from './storage/audit.contract.ts';
import { describeChanges } from './storage/changes.contract.ts';
import { describeDeadlines } from './storage/deadlines.contract.ts';
import type { Engine, TestStore } from './storage/engine.ts';
import { describeFlush } from './storage/flush.contract.ts';
import { describeIdempotency } from './storage/idempotency.contract.ts';
import { describeMigrations } from './storage/migrations.contract.ts';
import { describeTransactions } from './storage/transactions.contract.ts';
import { describeTrash } from './storage/trash.contract.ts';
import { describeValues } from './storage/values.contract.ts';
import { describeWatch } from './storage/watch.contract.ts';

/** The open store that all parts of the contract share. */
export interface ContractContext {
  readonly engine: Engine;
  readonly testStore: () => TestStore;
  readonly store: () => Storage;
}

/** The promises of every engine. */
export function describeStorageContract(engine: Engine): void {
  describe(engine.name, () => {
    let testStore: TestStore;
    let storage: Storage;

    beforeAll(async () => {
      testStore = await engine.create();
      storage = await testStore.open();
    });

    afterAll(async () => {
      await storage?.close();
      await testStore?.remove();
    });

    const opened: ContractContext = { engine, testStore: () => testStore, store: () => storage };
    describeTransactions(opened);
    describeValues(opened);
    describeIdempotency(opened);
    describeFlush(opened);
    describeChanges(opened);
    describeAudit(opened);
    describeTrash(opened);
    describeDeadlines(opened);
    describeWatch(opened);
    describeMigrations(opened);
  });
}
