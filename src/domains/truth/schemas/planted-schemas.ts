import { afterAll, beforeAll, describe } from 'vitest';
import type { Caller, TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { openLimiter } from '#kernel/limiter/limiter.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { toCards } from '#kernel/tool/card.ts';
import { createInvoke } from '#kernel/tool/invoke.ts';
import { createToolMeter } from '#kernel/tool/meter.ts';
import { bindToolset, createRegistry } from '#kernel/tool/registry.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { migrations } from '#migrations/all.ts';
import type { Place } from '#tests/contract/storage/engine.ts';
import { postgresEngine } from '#tests/contract/storage/postgres-engine.ts';
import { sqliteEngine } from '#tests/contract/storage/sqlite-engine.ts';
import type { Truth } from '../truth.ts';
import { toTruthStorage } from '../truth-storage.ts';
import { createSchemas, type Schemas } from './schemas.ts';
import { schemaTools } from './tools.ts';

export type Told = Readonly<Record<string, unknown>>;

const toolset = defineToolset<Pick<Truth, 'schemas'>>({ name: 'truth', faultForm: 'traced', tools: schemaTools });

export interface PlantedSchemas {
  readonly storage: Storage;
  readonly schemas: Schemas;
  /** The answer, or what the fault says. */
  ask(tenant: TenantId, name: string, args: unknown): Promise<Told>;
}

function plantSchemas(opened: Storage): PlantedSchemas {
  const storage = toTruthStorage(opened);
  const clock = createManualClock();
  const schemas = createSchemas({ storage });
  const bugs: unknown[] = [];
  const invoke = createInvoke({
    registry: createRegistry(toCards(toolset), { truth: async () => bindToolset(toolset, { schemas }) }),
    permits: { mutation: true, readOnly: false },
    limiter: openLimiter,
    meter: createToolMeter(),
    clock,
    ids: createIds(clock),
    reportBug: ({ error }) => void bugs.push(error),
  });
  return {
    storage,
    schemas,
    async ask(tenant, name, args) {
      const caller: Caller = { tenant, actor: 'ada', scopes: new Set(['admin']) };
      const outcome = await invoke({ name, args, caller });
      if (bugs.length > 0) throw bugs[0];
      if (outcome.ok) return JSON.parse(outcome.text) as Told;
      return { code: outcome.fault.code, message: outcome.fault.message, details: outcome.fault.details };
    },
  };
}

/** Says the same of every engine; the first runs each write twice. */
export function describeOnEngines(title: string, tell: (planted: () => PlantedSchemas) => void): void {
  for (const engine of [sqliteEngine(true), postgresEngine(false)]) {
    describe(`${title} on ${engine.name}`, () => {
      let place: Place;
      let storage: Storage;
      let planted: PlantedSchemas;
      beforeAll(async () => {
        place = await engine.create();
        storage = await place.open({ migrations, clock: createManualClock() });
        planted = plantSchemas(storage);
      });
      afterAll(async () => {
        await storage?.close();
        await place?.remove();
      });
      tell(() => planted);
    });
  }
}
