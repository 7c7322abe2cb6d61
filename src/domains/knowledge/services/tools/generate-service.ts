import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { generateService, serviceFileTypes } from '../generate-service.ts';
import { databases, fieldTypes } from '../service-request.ts';

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
  title: 'Generate a service',
  summary: 'Code of a FeathersJS service.',
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
  input: z.strictObject({ name: z.string(), database: z.enum(databases), fields: z.array(field) }),
  output: z.object({
    name: z.string(),
    database: z.enum(databases),
    fieldCount: z.number().int(),
    files: z.record(z.string(), file),
    edits: z.array(edit),
    notes: z.array(z.string()),
  }),
  faults: ['INVALID_SERVICE'],
  run: (_knowledge: unknown, request) => generateService(request),
});
