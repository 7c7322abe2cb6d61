import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { conditions, requirements } from '../entry-model.ts';
import { toBulkDeps } from '../exchange/bulk-deps.ts';
import { importSentFiles } from '../exchange/import-sent-files.ts';
import { toRuleSync } from '../exchange/read-sources.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { importOptions, importReport } from './instructions-import-files.ts';

export const instructionsImportTexts = defineTool({
  name: 'instructions/importTexts',
  title: 'Import the texts of rule files',
  summary: 'Imports rule files that are sent as texts: AGENTS.md, CLAUDE.md, Cursor and Copilot rules, skills.',
  guide: {
    when: ['a person chose rule files in a browser'],
    not: ['the files are on this machine: fourfold instructions import'],
    example: { files: [{ path: 'AGENTS.md', text: '## Commits\n\nKeep commits small.' }], dryRun: true },
  },
  effect: 'create',
  expose: ['mcp', 'http'],
  bulk: true,
  audit: 'none',
  stable: false,
  input: z.strictObject({
    files: z
      .array(z.strictObject({ path: z.string().min(1).max(1_000), text: z.string() }))
      .min(1)
      .max(instructionLimits.sentFilesCount)
      .describe('The path in the project decides what a file means'),
    project: z.string().min(1).max(200).default('uploaded').describe('Name of the project that the files belong to'),
    ...importOptions,
  }),
  output: z.object({
    ...importReport,
    rules: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          source: z.string(),
          state: z.enum(['new', 'same', 'differs']).describe('Compared with the catalog before the import'),
          requirement: z.enum(requirements),
          candidate: z.boolean().describe('Demands or forbids something: a person may make it mandatory'),
          appliesTo: conditions
            .extend({ always: z.boolean().optional(), all: z.array(conditions).optional() })
            .optional(),
          description: z.string().optional(),
          text: z.string().describe('The beginning of the body'),
        }),
      )
      .describe('The first of those found'),
    skippedCount: z.int(),
    errorCount: z.int(),
  }),
  faults: ['INVALID_PARAMS', 'MUTATION_DISABLED', 'RESOURCE_LIMIT'],
  readsWhen: ({ dryRun }) => dryRun,
  run: ({ exchange, writes }: Pick<Instructions, 'exchange' | 'writes'>, input, call) =>
    importSentFiles({ ...toBulkDeps(exchange, call), sync: toRuleSync(writes, call) }, input),
});
