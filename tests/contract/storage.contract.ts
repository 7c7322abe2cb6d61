import { afterAll, beforeAll, describe } from 'vitest';
import type { Storage } from '#kernel/storage/port.ts';
import { describeAudit } from './storage/audit.contract.ts';
import { describeChanges } from './storage/changes.contract.ts';
import { describeDeadlines } from './storage/deadlines.contract.ts';
import type { Engine, Place } from './storage/engine.ts';
import { describeFlush } from './storage/flush.contract.ts';
import { describeIdempotency } from './storage/idempotency.contract.ts';
import { describeMigrations } from './storage/migrations.contract.ts';
import { describeTransactions } from './storage/transactions.contract.ts';
import { describeTrash } from './storage/trash.contract.ts';
import { describeValues } from './storage/values.contract.ts';
import { describeWatch } from './storage/watch.contract.ts';

/** What every part of the contract gets: one open store that all its tests share. */
export interface Opened {
  readonly engine: Engine;
  readonly place: () => Place;
  readonly store: () => Storage;
}

/** What every engine promises, said once. */
export function describeStorageContract(engine: Engine): void {
  describe(engine.name, () => {
    let place: Place;
    let storage: Storage;

    beforeAll(async () => {
      place = await engine.create();
      storage = await place.open();
    });

    afterAll(async () => {
      await storage?.close();
      await place?.remove();
    });

    const opened: Opened = { engine, place: () => place, store: () => storage };
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
