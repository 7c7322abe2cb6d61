import { resolve } from 'node:path';
import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { toBulkDeps } from '../exchange/bulk-deps.ts';
import { exportCatalog } from '../exchange/export-catalog.ts';
import type { Instructions } from '../instructions.ts';

const formats = ['folder', 'json', 'agents'] as const;

export const instructionsExportFiles = defineTool({
  name: 'instructions_export_files',
  command: 'instructions export',
  title: 'Export the catalog to files',
  summary: 'Writes the catalog as a folder of entries, one JSON file or an AGENTS.md.',
  guide: { when: ['rules are needed outside this program'], example: { to: 'RULES.md' } },
  effect: 'read',
  expose: ['cli'],
  bulk: true,
  input: z.strictObject({
    to: z.string().min(1).describe('The folder or file to write'),
    format: z.enum(formats).optional().describe('Chosen by the name when missing: .md, .json, or a folder'),
    force: z.boolean().default(false).describe('Overwrites existing files'),
  }),
  output: z.object({
    to: z.string(),
    format: z.enum(formats),
    count: z.int(),
    files: z.int(),
    hash: z.string(),
  }),
  faults: ['CONFLICT'],
  run: ({ exchange }: Pick<Instructions, 'exchange'>, { to, ...options }, call) =>
    exportCatalog(toBulkDeps(exchange, call), { to: resolve(to), ...options }),
});
