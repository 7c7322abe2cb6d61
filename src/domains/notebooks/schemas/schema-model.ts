import { z } from 'zod';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { schemaIdPattern } from './schema-input.ts';

const { schemaIdChars: idChars, nameChars, schemaDescriptionChars: descriptionChars } = notebookLimits;

const badId = notebookFaults.INVALID_ID(
  { why: `A schema id is 1 to ${idChars} letters, digits, dots, hyphens and underscores` },
  { field: 'id' },
);
const badName = notebookFaults.INVALID_ID(
  { why: `Give the id or the name of a schema, 1 to ${nameChars} characters` },
  { field: 'schema_id' },
);

export const schemaRefField = z
  .string()
  .refine((text) => text !== '' && text.length <= nameChars, { params: { fault: badName } })
  .meta({ minLength: 1, maxLength: nameChars })
  .describe('Id or name');

export const schemaInputField = z.strictObject({
  schema: z.record(z.string(), z.unknown()).describe('A JSON Schema (draft 7, 2019-09 or 2020-12)'),
  id: z
    .string()
    .refine((text) => schemaIdPattern.test(text), { params: { fault: badId } })
    .meta({ pattern: schemaIdPattern.source })
    .optional()
    .describe('Generated if absent'),
  name: z.string().min(1).max(nameChars).nullable().optional().describe('Cells refer to scratchpad://schemas/<name>'),
  description: z.string().max(descriptionChars).nullable().optional(),
});

export const sharedSchemaField = z.object({
  id: z.string(),
  name: z.string().nullable(),
  description: z.string().nullable(),
  schema: z.record(z.string(), z.unknown()),
});
