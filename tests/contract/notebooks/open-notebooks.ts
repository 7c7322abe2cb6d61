import { afterAll, beforeAll } from 'vitest';
import {
  type PlantedNotebooks,
  type PlantedOptions,
  plantNotebooks,
} from '#domains/notebooks/pads/notebooks.fixture.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { migrations } from '#migrations/all.ts';
import type { Engine, TestStore } from '#tests/contract/storage/engine.ts';
import { newTenant } from '../storage/call.ts';

/** One store for a suite; each test works in tenants of its own. */
export function useNotebooks(engine: Engine) {
  const clock = createManualClock();
  const opened: { storage: Storage; notebooks: PlantedNotebooks[] }[] = [];
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
  const open = (settings: Omit<PlantedOptions, 'storage' | 'clock'> = {}): PlantedNotebooks => {
    const { storage, notebooks } = opened[0]!;
    const made = plantNotebooks({ storage, clock, ...settings });
    notebooks.push(made);
    return made;
  };
  return {
    clock,
    open,
    storage: () => opened[0]!.storage,
    /** Another process, as far as the store can tell. */
    async openOther(settings: Omit<PlantedOptions, 'storage' | 'clock'> = {}): Promise<PlantedNotebooks> {
      const storage = await place!.open({ migrations, clock });
      const made = plantNotebooks({ storage, clock, ...settings });
      opened.push({ storage, notebooks: [made] });
      return made;
    },
    /** In a tenant of its own. */
    start(settings: Omit<PlantedOptions, 'storage' | 'clock'> = {}) {
      const notebooks = open(settings);
      return { ...notebooks, ...notebooks.as(newTenant()) };
    },
  };
}

export const md = (content: string, part: object = {}) => ({ language: 'md', content, ...part });

/** A member deep inside an answer. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);

export const codeOf = (told: unknown): unknown => at(told, 'error', 'code');
