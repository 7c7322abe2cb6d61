import { z } from 'zod';
import { schemaFields } from './entity-schema.ts';

const shown = {
  entity_type: z.string(),
  version: z.string(),
  is_active: z.boolean(),
  is_builtin: z.boolean().describe("The program's own, the same for everybody"),
  created_at: z.string().nullable(),
  activated_at: z.string().nullable(),
};

export const registeredSchema = z.object({ ...shown, fields: schemaFields });
export type RegisteredSchema = z.infer<typeof registeredSchema>;

export const listedSchema = z.object({ ...shown, fields: schemaFields.optional() });
export type ListedSchema = z.infer<typeof listedSchema>;
