import { resolve } from 'node:path';
import { z } from 'zod';
import { askThrough } from '#kernel/tool/invoke.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { importPads } from '../import-pads.ts';

export const notebooksImport = defineTool({
  name: 'notebooks_import',
  title: 'Import scratchpads from files',
  summary: 'Imports Markdown files and Jupyter notebooks, one scratchpad per file.',
  guide: { when: ['notes exist as files'], example: { paths: ['notes'], dryRun: true } },
  effect: 'create',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  input: z.strictObject({
    paths: z.array(z.string().min(1)).min(1).describe('Files and folders'),
    mode: z.enum(['skip', 'overwrite']).default('skip').describe('What to do with a scratchpad that exists'),
    namespace: z.string().min(1).optional().describe('For scratchpads whose file names no namespace'),
    format: z.enum(['md', 'ipynb']).optional().describe('The format of the named files; by their ending when missing'),
    dryRun: z.boolean().default(false).describe('Shows what would be imported and changes nothing'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    files: z.int(),
    imported: z.int(),
    overwritten: z.int(),
    kept: z.int(),
    ids: z.array(z.string()),
    skipped: z.array(z.object({ source: z.string(), reason: z.string() })),
    warnings: z.array(z.string()),
    errors: z.array(z.object({ source: z.string(), scratch_id: z.string(), code: z.string(), error: z.string() })),
  }),
  faults: ['NOT_FOUND'],
  readsWhen: ({ dryRun }) => dryRun,
  run: (_notebooks: unknown, input, call) =>
    importPads(
      { ask: askThrough(call), signal: call.signal, progress: call.progress },
      { ...input, paths: input.paths.map((path) => resolve(path)) },
    ),
});
