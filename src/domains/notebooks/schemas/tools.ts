import { scratchGetSchema } from './tools/scratch-get-schema.ts';
import { scratchListSchemas } from './tools/scratch-list-schemas.ts';
import { scratchUpsertSchema } from './tools/scratch-upsert-schema.ts';

export const schemaTools = [scratchListSchemas, scratchGetSchema, scratchUpsertSchema] as const;
