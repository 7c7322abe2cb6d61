import { resolve } from 'node:path';
import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { toBulkDeps } from '../exchange/bulk-deps.ts';
import { findImportFailure } from '../exchange/import-failure.ts';
import { importFiles } from '../exchange/import-files.ts';
import { toRuleSync } from '../exchange/read-sources.ts';
import type { Instructions } from '../instructions.ts';
import { mappedField } from './instructions-import.ts';

/** Of every import of rule files. */
export const importOptions = {
  mode: z.enum(['skip', 'overwrite', 'merge']).default('skip').describe('What to do with an entry that exists'),
  dryRun: z.boolean().default(false).describe('Shows what would be imported and changes nothing'),
};

export const importReport = {
  dryRun: z.boolean(),
  files: z.int(),
  found: z.int(),
  imported: z.int(),
  overwritten: z.int(),
  kept: z.int(),
  proposed: z.int().optional().describe('Waiting for an admin, because the caller is none'),
  differ: z
    .array(z.object({ file: z.string(), sections: z.int() }))
    .describe('Files that changed since they were imported; instructions sync takes the changes over'),
  mappedCount: z.int().optional(),
  mapped: z.array(mappedField).optional().describe('Values of another catalog, translated'),
  skipped: z.array(z.object({ source: z.string(), reason: z.string() })),
  warnings: z.array(z.string()),
  errors: z.array(z.object({ index: z.int(), id: z.string().optional(), error: z.string(), code: z.string() })),
};

export const instructionsImportFiles = defineTool({
  name: 'instructions_import_files',
  command: 'instructions import',
  title: 'Import rule files',
  summary: 'Imports rule files: entries, backups, AGENTS.md, CLAUDE.md, Cursor and Copilot rules, skills.',
  guide: { when: ['a team already keeps its rules in files'], example: { paths: ['AGENTS.md'], dryRun: true } },
  effect: 'create',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  input: z.strictObject({
    paths: z.array(z.string().min(1)).min(1).describe('Files and folders'),
    project: z.string().min(1).max(200).optional().describe('Name of the project; default: the name of its folder'),
    ...importOptions,
  }),
  output: z.object({ ...importReport, ids: z.array(z.string()) }),
  faults: ['INVALID_PARAMS', 'MUTATION_DISABLED'],
  readsWhen: ({ dryRun }) => dryRun,
  failOn: ['errors', 'warnings', 'differences'],
  findFailure: findImportFailure,
  run: ({ exchange, writes }: Pick<Instructions, 'exchange' | 'writes'>, { paths, ...options }, call) =>
    importFiles(
      { ...toBulkDeps(exchange, call), sync: toRuleSync(writes, call) },
      { ...options, paths: paths.map((path) => resolve(path)) },
    ),
});
