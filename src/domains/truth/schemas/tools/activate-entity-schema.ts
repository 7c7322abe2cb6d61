import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entitySchema, registeredSchema } from '../entity-schema.ts';

/** Reads use the new schema, but derived rows of earlier observations are not written again. */
const rebuildHint =
  'Snapshots use it immediately. Run `fourfold truth rebuild` to derive events and identifiers of earlier observations.';

export const activateEntitySchema = defineTool({
  name: 'activate_entity_schema',
  title: 'Activate an entity schema version',
  summary:
    'Makes a registered version the active one. It also applies to earlier observations and their raw fragments.',
  guide: {
    when: ['a registered version should be used from now on, also for earlier observations'],
    not: ['the version is not registered yet: register_entity_schema'],
    example: { entity_type: 'vehicle', version: '1.1' },
  },
  effect: 'update',
  idempotent: true,
  guarantees: { consistency: 'strong', deterministic: true },
  input: entitySchema.pick({ entity_type: true, version: true }),
  output: z.object({
    schema: registeredSchema,
    previous_version: z.string(),
    changed: z.boolean(),
    hint: z.string().optional(),
  }),
  faults: ['VALIDATION_ERROR', 'NOT_FOUND', 'DB_UPDATE_FAILED'],
  run: async ({ schemas }: Pick<Truth, 'schemas'>, ref, call) => {
    const answer = await schemas.activate(ref, call);
    return answer.changed ? { ...answer, hint: rebuildHint } : answer;
  },
});
