import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { databases } from '../base/base-entries.ts';
import type { Knowledge } from '../knowledge.ts';

const outputSchema = z.object({
  folder: z.string(),
  files: z.array(z.string()),
  replaced: z.array(z.string()),
  dryRun: z.boolean(),
  next: z.string(),
});

export type WrittenApplication = DeepReadonly<z.infer<typeof outputSchema>>;

export const knowledgeNew = defineTool({
  name: 'knowledge_new',
  title: 'Create a FeathersJS application',
  summary: 'Writes a new FeathersJS application to disk: all its files or none. Existing files are kept.',
  guide: { when: ['you start a new service'], example: { folder: 'notes-app', database: 'sqlite' } },
  effect: 'create',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  input: z.strictObject({
    folder: z.string().min(1).describe('The folder to create'),
    database: z.enum(databases).describe('Its database'),
    // Not `auth`: that is a setting of the program.
    authentication: z.boolean().default(false).describe('Adds users and login'),
    javascript: z.boolean().default(false).describe('Writes JavaScript instead of TypeScript'),
    version: z.enum(['v4', 'v5', 'both']).default('v5').describe('The version of FeathersJS'),
    dryRun: z.boolean().default(false).describe('Shows which files would be written'),
    force: z.boolean().default(false).describe('Replaces files of the same name'),
  }),
  output: outputSchema,
  faults: ['FILES_TAKEN', 'INVALID_PARAMS'],
  readsWhen: ({ dryRun }) => dryRun,
  run: (knowledge: Pick<Knowledge, 'writeApplication'>, { authentication, javascript, ...options }) =>
    knowledge.writeApplication({ ...options, auth: authentication, typescript: !javascript }),
});
