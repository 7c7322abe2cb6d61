import { afterAll, beforeAll } from 'vitest';
import { createPadsFixture, type PadsFixture, type PadsFixtureOptions } from '#domains/notebooks/pads/pads.fixture.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import type { Engine, TestStore } from '#tests/contract/storage/engine.ts';
import { newTenant } from '../storage/call.ts';

/** One store for a suite; each test has its own tenants. */
export function useNotebooks(engine: Engine) {
  const clock = createManualClock();
  const opened: { storage: Storage; notebooks: PadsFixture[] }[] = [];
  let place: TestStore | undefined;
  beforeAll(async () => {
    place = await engine.create();
    opened.push({ storage: await place.open({ migrations, clock }), notebooks: [] });
  });
  afterAll(async () => {
    for (const { storage, notebooks } of opened) {
      for (const one of notebooks) await one.close();
      await storage.close();
    }
    await place?.remove();
  });
  const open = (settings: Omit<PadsFixtureOptions, 'storage' | 'clock'> = {}): PadsFixture => {
    const { storage, notebooks } = opened[0]!;
    const made = createPadsFixture({ storage, clock, ...settings });
    notebooks.push(made);
    return made;
  };
  return {
    clock,
    open,
    storage: () => opened[0]!.storage,
    /** Looks like another process to the store. */
    async openOther(settings: Omit<PadsFixtureOptions, 'storage' | 'clock'> = {}): Promise<PadsFixture> {
      const storage = await place!.open({ migrations, clock });
      const made = createPadsFixture({ storage, clock, ...settings });
      opened.push({ storage, notebooks: [made] });
      return made;
    },
    start(settings: Omit<PadsFixtureOptions, 'storage' | 'clock'> = {}) {
      const notebooks = open(settings);
      return { ...notebooks, ...notebooks.as(newTenant()) };
    },
  };
}

export const md = (content: string, part: object = {}) => ({ language: 'md', content, ...part });

export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);

export const codeOf = (answer: unknown): unknown => at(answer, 'error', 'code');
