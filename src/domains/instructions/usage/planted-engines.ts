import { afterAll, beforeAll, describe } from 'vitest';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import { newTenant } from '#tests/contract/storage/call.ts';
import type { Place } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { openQuality, type QualityOptions } from './planted-quality.ts';

export interface Engine {
  /** In a tenant of its own, unless one is given. */
  open(options?: QualityOptions): ReturnType<typeof openQuality>;
  storage(): Storage;
  /** Another process, as far as the store can tell. */
  openOther(): Promise<Storage>;
}

/** Says the same of every engine; rehearsing ones run each write twice. */
export function describeOnEngines(title: string, tell: (engine: Engine) => void): void {
  for (const engine of [sqliteEngine(false), sqliteEngine(true), postgresEngine(false), postgresEngine(true)]) {
    describe(`${title} on ${engine.name}`, () => {
      const clock = createManualClock();
      const opened: Storage[] = [];
      let place: Place;
      const openOther = async () => {
        const storage = await place.open({ migrations, clock });
        opened.push(storage);
        return storage;
      };
      beforeAll(async () => {
        place = await engine.create();
        await openOther();
      });
      afterAll(async () => {
        for (const storage of opened) await storage.close();
        await place?.remove();
      });
      tell({
        open: (options = {}) => openQuality({ storage: opened[0]!, tenant: newTenant(), clock, ...options }),
        storage: () => opened[0]!,
        openOther,
      });
    });
  }
}
