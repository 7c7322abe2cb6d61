import { describeOnEngines as describeOnStores, type EngineFixture } from '#kernel/jobs/engines.fixture.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import { openQuality, type QualityOptions } from './quality.fixture.ts';

export interface Engine extends EngineFixture {
  /** Uses a new tenant by default. */
  open(options?: QualityOptions): ReturnType<typeof openQuality>;
}

/** Runs the tests on every engine; rehearsing engines run each write twice. */
export const describeOnEngines = (title: string, tell: (engine: Engine) => void): void =>
  describeOnStores(
    title,
    (engine) =>
      tell({
        ...engine,
        open: (options = {}) =>
          openQuality({ storage: engine.storage(), tenant: engine.newTenant(), clock: engine.clock, ...options }),
      }),
    [sqliteEngine(false), sqliteEngine(true), postgresEngine(false), postgresEngine(true)],
  );
