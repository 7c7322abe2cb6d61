import { afterAll, beforeAll, describe } from 'vitest';
import { newTenant } from '#tests/contract/storage/call.ts';
import type { TestStore } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import type { TenantId } from '../call.ts';
import { createManualClock } from '../clock/clock.ts';
import type { Capabilities } from '../storage/capabilities.ts';
import type { Storage } from '../storage/port.ts';
import { createTestStore } from './store.fixture.ts';

interface Closing {
  close(): Promise<unknown>;
}

/** The store of a `describe` block. */
export interface EngineFixture {
  readonly name: string;
  readonly kind: Capabilities['engine'];
  readonly clock: ReturnType<typeof createManualClock>;
  storage(): Storage;
  testStore(): TestStore;
  /** Opens the store as another process would. */
  openOther(): Promise<Storage>;
  newTenant(): TenantId;
  /** Closes it at the end of the block, in reverse order and before the store. */
  closeAtEnd<T extends Closing>(one: T): T;
}

/** A rehearsing engine runs each write twice. */
const usual = [sqliteEngine(true), postgresEngine(false)];

/** Runs the same tests on every engine. Each block has one store, each test its own tenant. */
export function describeOnEngines(
  title: string,
  tell: (engine: EngineFixture) => void,
  engines = usual,
  rows: 'intact' | 'damaged' = 'intact',
): void {
  for (const engine of engines) {
    describe(`${title} on ${engine.name}`, () => {
      const clock = createManualClock();
      const store = createTestStore(engine, rows);
      const kept: Closing[] = [];
      let storage: Storage;
      beforeAll(async () => {
        storage = await store.open(clock);
      });
      afterAll(async () => {
        for (const one of kept.toReversed()) await one.close();
      });
      tell({
        name: engine.name,
        kind: engine.kind,
        clock,
        storage: () => storage,
        testStore: store.testStore,
        openOther: () => store.open(clock),
        newTenant,
        closeAtEnd(one) {
          kept.push(one);
          return one;
        },
      });
    });
  }
}
