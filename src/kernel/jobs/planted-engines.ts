import { afterAll, beforeAll, describe } from 'vitest';
import { newTenant } from '#tests/contract/storage/call.ts';
import type { Place } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import type { TenantId } from '../call.ts';
import { createManualClock } from '../clock/clock.ts';
import type { Capabilities } from '../storage/capabilities.ts';
import type { Storage } from '../storage/port.ts';
import { plantStore } from './planted-store.ts';

interface Closing {
  close(): Promise<unknown>;
}

/** The store of a `describe` block. */
export interface PlantedEngine {
  readonly name: string;
  readonly kind: Capabilities['engine'];
  readonly clock: ReturnType<typeof createManualClock>;
  storage(): Storage;
  place(): Place;
  /** Another process, as far as the store can tell. */
  openOther(): Promise<Storage>;
  newTenant(): TenantId;
  /** Closes it at the end of the block, the last one first, before the store. */
  keep<T extends Closing>(one: T): T;
}

/** A rehearsing one runs each write twice. */
const usual = [sqliteEngine(true), postgresEngine(false)];

/** Says the same of every engine. One store a block, a tenant a test. */
export function describeOnEngines(title: string, tell: (engine: PlantedEngine) => void, engines = usual): void {
  for (const engine of engines) {
    describe(`${title} on ${engine.name}`, () => {
      const clock = createManualClock();
      const store = plantStore(engine);
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
        place: store.place,
        openOther: () => store.open(clock),
        newTenant,
        keep(one) {
          kept.push(one);
          return one;
        },
      });
    });
  }
}
