import { resolve } from 'node:path';
import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { programNames } from '../read-files.ts';

const counts = z.object({
  new: z.int(),
  changed: z.int(),
  known: z.int().describe('Imported before and the same since'),
});
const count = z.record(z.string(), z.int());

export const importMemories = defineTool({
  name: 'memories_import',
  title: 'Import the memories of another program',
  summary:
    'Imports what another program remembers: entities and relations become facts, notes and conversations become scratchpads.',
  guide: {
    when: ['you used another memory before, or have an export of a chat service'],
    not: ['the file was written by fourfold export: fourfold import'],
    example: { from: 'server-memory', paths: ['memory.jsonl'], dryRun: true },
  },
  effect: 'create',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  positionals: ['paths'],
  input: z.strictObject({
    from: z.enum(programNames).describe('The program or service'),
    paths: z.array(z.string().min(1)).min(1).describe('Files and folders'),
    namespace: z.string().min(1).max(128).optional().describe('Of the scratchpads; default: the name of the program'),
    dryRun: z.boolean().default(false).describe('Shows what would be imported and changes nothing'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    files: z.int(),
    facts: counts,
    scratchpads: counts,
    cells: z.int().describe('Notes and messages that are new or changed'),
    leftOut: count.describe('Parts that have no place here, such as calls of tools'),
    skippedCount: z.int(),
    skipped: z.array(z.object({ source: z.string(), reason: z.string() })).describe('The first of them'),
    errorsCount: z.int(),
    errors: z
      .array(z.object({ source: z.string(), code: z.string(), error: z.string() }))
      .describe('The first of them'),
    hint: z.string().optional(),
  }),
  faults: ['NOT_FOUND', 'RESOURCE_LIMIT'],
  readsWhen: ({ dryRun }) => dryRun,
  run: ({ moveIn }: Pick<Integrations, 'moveIn'>, { paths, ...input }, call) =>
    moveIn({ ...input, paths: paths.map((path) => resolve(path)) }, call),
});
