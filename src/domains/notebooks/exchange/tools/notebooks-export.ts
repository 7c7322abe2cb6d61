import { resolve } from 'node:path';
import { z } from 'zod';
import { askThrough } from '#kernel/tool/invoke.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { exportPads } from '../export-pads.ts';

const filter = z.array(z.string().min(1)).optional();

export const notebooksExport = defineTool({
  name: 'notebooks_export',
  title: 'Export scratchpads to files',
  summary: 'Writes scratchpads to a folder as Markdown files or Jupyter notebooks.',
  guide: { when: ['people want to read or keep scratchpads as files'], example: { to: 'notes' } },
  effect: 'read',
  expose: ['cli'],
  bulk: true,
  input: z.strictObject({
    to: z.string().min(1).describe('The folder to write to'),
    format: z.enum(['md', 'ipynb']).default('md').describe('The format of each file'),
    ids: filter.describe('Only this scratchpad; repeat the flag for several'),
    namespaces: filter.describe('Only this namespace; repeat the flag for several'),
    tags: filter.describe('Only this tag; repeat the flag for several'),
    force: z.boolean().default(false).describe('Overwrites existing files'),
    dryRun: z.boolean().default(false).describe('Shows which files would be written'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    to: z.string(),
    format: z.enum(['md', 'ipynb']),
    exported: z.int(),
    files: z.array(z.string()),
    existing: z.array(z.string()),
    skipped: z.array(z.object({ source: z.string(), reason: z.string() })),
  }),
  faults: ['CONFLICT'],
  run: (_notebooks: unknown, input, call) =>
    exportPads(
      { ask: askThrough(call), signal: call.signal, progress: call.progress },
      { ...input, to: resolve(input.to) },
    ),
});
