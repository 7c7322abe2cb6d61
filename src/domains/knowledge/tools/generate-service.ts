import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { databases } from '../base/base-entries.ts';
import { fieldTypes, serviceFileTypes } from '../services/service-plan.ts';

const field = z.looseObject({
  name: z.string(),
  type: z.enum(fieldTypes),
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
});

const file = z.object({
  path: z.string(),
  content: z.string(),
  type: z.enum(serviceFileTypes),
  size: z.number().int(),
});

const edit = z.object({ file: z.string(), why: z.string(), change: z.string() });

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
  listed: true,
  input: z.strictObject({
    name: z.string(),
    database: z.enum(databases),
    fields: z.array(field),
    typescript: z.boolean().optional(),
  }),
  output: z.object({
    name: z.string(),
    database: z.enum(databases),
    fieldCount: z.number().int(),
    files: z.record(z.string(), file),
    edits: z.array(edit),
    notes: z.array(z.string()),
  }),
  faults: ['INVALID_SERVICE'],
  // Loaded on demand: the parser for JavaScript output is large.
  run: async (_knowledge: unknown, request) =>
    (await import('../services/generate-service.ts')).generateService(request),
});
