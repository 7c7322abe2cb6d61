import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { databases } from '../base/base-entries.ts';
import { fieldTypes } from '../services/service-plan.ts';

const field = z.object({
  name: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
});

const file = z.object({
  path: z.string(),
  content: z.string(),
  type: z.enum(['service', 'hooks', 'schema', 'test']),
  /** In UTF-8 bytes. */
  size: z.number().int(),
});

/** A change that an application needs if it was not created by `get_feathers_template`. */
const edit = z.object({ file: z.string(), why: z.string(), change: z.string() });

const inputSchema = z.strictObject({
  name: z.string(),
  database: z.enum(databases),
  fields: z.array(field),
  /** Default true; false generates JavaScript. */
  typescript: z.boolean().optional(),
});

const outputSchema = z.object({
  name: z.string(),
  database: z.enum(databases),
  fieldCount: z.number().int(),
  files: z.record(z.string(), file),
  edits: z.array(edit),
  notes: z.array(z.string()),
});

export type GeneratedService = DeepReadonly<z.infer<typeof outputSchema>>;

export const generateServiceTool = defineTool({
  name: 'generate_service',
  title: 'New service',
  summary: 'Code of a FeathersJS v5 service.',
  guide: {
    when: ['you add one'],
    example: {
      name: 'messages',
      database: 'sqlite',
      fields: [{ name: 'text', type: 'string', required: true }],
    },
  },
  effect: 'read',
  exactInput: true,
  input: inputSchema,
  output: outputSchema,
  faults: ['INVALID_SERVICE'],
  // Loaded on demand: the parser for JavaScript output is large.
  run: async (_knowledge: unknown, request) =>
    (await import('../services/generate-service.ts')).generateService(request),
});
