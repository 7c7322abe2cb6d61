import { beforeAll } from 'vitest';
import type { TenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { createIds } from '#kernel/ids/ids.ts';
import { describeOnEngines as describeOnStores } from '#kernel/jobs/engines.fixture.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { defineToolset } from '#kernel/tool/tool.ts';
import { openToolset, type ToolAnswer } from '#tests/support/open-toolset.ts';
import type { Truth } from '../truth.ts';
import { toTruthStorage } from '../truth-storage.ts';
import { schemaTools } from '../truth-toolset.ts';
import { createSchemas, type Schemas } from './schemas.ts';

const toolset = defineToolset<Pick<Truth, 'schemas'>>({ name: 'truth', faultForm: 'traced', tools: schemaTools });

export interface SchemasFixture {
  readonly storage: Storage;
  readonly schemas: Schemas;
  /** The answer, or the fault. */
  ask(tenant: TenantId, name: string, args: unknown): Promise<ToolAnswer>;
}

function createSchemasFixture(opened: Storage): SchemasFixture {
  const storage = toTruthStorage(opened);
  const clock = createManualClock();
  const schemas = createSchemas({ storage });
  const { as } = openToolset(toolset, { schemas }, { clock, ids: createIds(clock) });
  return {
    storage,
    schemas,
    async ask(tenant, name, args) {
      const outcome = await as(tenant).reach(name, args);
      if (outcome.ok) return JSON.parse(outcome.text) as ToolAnswer;
      return { code: outcome.fault.code, message: outcome.fault.message, details: outcome.fault.details };
    },
  };
}

/** Runs the tests on every engine. */
export const describeSchemas = (title: string, define: (fixture: () => SchemasFixture) => void): void =>
  describeOnStores(title, (engine) => {
    let fixture: SchemasFixture;
    beforeAll(() => {
      fixture = createSchemasFixture(engine.storage());
    });
    define(() => fixture);
  });
