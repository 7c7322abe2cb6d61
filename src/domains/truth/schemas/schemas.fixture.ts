import { beforeAll } from 'vitest';
import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { describeOnEngines as describeOnStores } from '#kernel/jobs/engines.fixture.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { openFamilyDoor, type Told } from '#tests/support/family-door.ts';
import type { Truth } from '../truth.ts';
import { toTruthStorage } from '../truth-storage.ts';
import { schemaTools } from '../truth-toolset.ts';
import { createSchemas, type Schemas } from './schemas.ts';

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
  const { as } = openFamilyDoor(toolset, { schemas }, { clock, ids: createIds(clock) });
  return {
    storage,
    schemas,
    async ask(tenant, name, args) {
      const outcome = await as(tenant).reach(name, args);
      if (outcome.ok) return JSON.parse(outcome.text) as Told;
      return { code: outcome.fault.code, message: outcome.fault.message, details: outcome.fault.details };
    },
  };
}

/** Says the same of every engine. */
export const describeOnEngines = (title: string, tell: (planted: () => PlantedSchemas) => void): void =>
  describeOnStores(title, (engine) => {
    let planted: PlantedSchemas;
    beforeAll(() => {
      planted = plantSchemas(engine.storage());
    });
    tell(() => planted);
  });
