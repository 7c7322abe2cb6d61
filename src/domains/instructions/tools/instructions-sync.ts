import { resolve } from 'node:path';
import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { toBulkDeps } from '../exchange/bulk-deps.ts';
import { toRuleSync } from '../exchange/read-sources.ts';
import { findSyncFailure, syncFiles } from '../exchange/sync-files.ts';
import type { Instructions } from '../instructions.ts';
import { syncActions } from '../rules/plan-sync.ts';

export const instructionsSync = defineTool({
  name: 'instructions_sync',
  command: 'instructions sync',
  title: 'Sync rules with their files',
  summary: 'Reads rule files again: updates, renames, adds and archives the rules that came from them.',
  guide: {
    when: ['a rule file was edited after its import'],
    not: ['it was never imported: instructions import'],
    example: { paths: ['AGENTS.md'], dryRun: true },
  },
  effect: 'update',
  expose: ['cli'],
  bulk: true,
  gated: true,
  scope: 'admin',
  input: z.strictObject({
    paths: z.array(z.string().min(1)).min(1).describe('Files and folders that were imported'),
    removed: z
      .boolean()
      .default(false)
      .describe('Archives the rules of files that are gone, or that have none of their rules any more'),
    project: z.string().min(1).max(200).optional().describe('Name of the project; default: the name of its folder'),
    dryRun: z.boolean().default(false).describe('Shows what would change and changes nothing'),
  }),
  output: z.object({
    dryRun: z.boolean(),
    files: z.int(),
    added: z.int(),
    updated: z.int(),
    renamed: z.int(),
    archived: z.int(),
    conflicts: z.int(),
    unchanged: z.int(),
    sections: z.array(
      z.object({
        action: z.enum(syncActions),
        id: z.string(),
        title: z.string(),
        source: z.string(),
        fields: z.array(z.string()).optional(),
        renamedFrom: z.string().optional(),
        proposal_id: z.string().optional(),
      }),
    ),
    kept: z.array(z.object({ source: z.string(), rules: z.int(), reason: z.string() })),
    keptRemoved: z
      .array(
        z.object({
          id: z.string(),
          title: z.string(),
          source: z.string(),
          changed: z.boolean().describe('The section is not as it was when the rule was removed'),
          removedAt: z.string(),
          removedBy: z.string(),
          restore: z.object({ tool: z.string(), arguments: z.object({ id: z.string(), to: z.int() }) }),
        }),
      )
      .describe('Rules that somebody removed, although their sections are still in the files'),
    skipped: z.array(z.object({ source: z.string(), reason: z.string() })),
    warnings: z.array(z.string()),
    errors: z.array(z.object({ id: z.string(), error: z.string(), code: z.string() })),
  }),
  faults: ['INVALID_PARAMS', 'MUTATION_DISABLED', 'VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
  readsWhen: ({ dryRun }) => dryRun,
  failOn: ['errors', 'conflicts', 'differences'],
  findFailure: findSyncFailure,
  run: ({ exchange, writes }: Pick<Instructions, 'exchange' | 'writes'>, { paths, ...options }, call) =>
    syncFiles(
      { ...toBulkDeps(exchange, call), sync: toRuleSync(writes, call) },
      { ...options, paths: paths.map((path) => resolve(path)) },
    ),
});
