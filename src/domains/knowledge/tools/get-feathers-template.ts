import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { databases } from '../base/base-entries.ts';
import type { Templates } from '../templates/templates.ts';

const versions = ['v4', 'v5', 'both'] as const;

export const getFeathersTemplate = defineTool({
  name: 'get_feathers_template',
  title: 'New app',
  summary: 'All files of a FeathersJS app.',
  guide: {
    when: ['you start one'],
    example: { database: 'sqlite', auth: true },
  },
  effect: 'read',
  exactInput: true,
  answer: 'whole',
  input: z.strictObject({
    database: z.enum(databases),
    auth: z.boolean().optional(),
    typescript: z.boolean().optional(),
    version: z.enum(versions).optional(),
  }),
  output: z.object({
    /** Set if no template matches; then the last three fields are absent. */
    error: z.string().optional(),
    database: z.enum(databases),
    auth: z.boolean(),
    typescript: z.boolean(),
    version: z.enum(versions),
    dependencies: z.array(z.string()).optional(),
    featureFlags: z.array(z.string()).optional(),
    files: z.record(z.string(), z.object({ path: z.string(), content: z.string(), size: z.number().int() })).optional(),
  }),
  faults: ['BAD_KNOWLEDGE_FILE'],
  run: (
    { templates }: { readonly templates: Templates },
    { database, auth = false, typescript = true, version = 'v5' },
  ) => templates.answer({ database, auth, typescript, version }),
});
