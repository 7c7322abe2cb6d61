import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { entitySchema, registeredSchema } from '../entity-schema.ts';

/** Reads use the new schema, but derived rows of earlier observations are not written again. */
const rebuildHint =
  'Snapshots follow at once. Events and identifiers of what was observed before are made by `fourfold truth rebuild`.';

export const activateEntitySchema = defineTool({
  name: 'activate_entity_schema',
  title: 'Activate a version of an entity schema',
  summary: 'Makes a registered version the one that observations are read with; earlier raw fragments come to life.',
  guide: {
    when: ['a registered version is to be used from now on, also for what was said before'],
    not: ['it has to be written first: register_entity_schema'],
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
