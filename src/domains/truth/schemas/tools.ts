import { activateEntitySchema } from './tools/activate-entity-schema.ts';
import { listEntitySchemas } from './tools/list-entity-schemas.ts';
import { registerEntitySchema } from './tools/register-entity-schema.ts';

export const schemaTools = [registerEntitySchema, activateEntitySchema, listEntitySchemas] as const;
