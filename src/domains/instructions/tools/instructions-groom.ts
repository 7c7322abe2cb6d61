import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';

const mode = z.strictObject({
  dryRun: z.boolean().default(false).describe('Only say what would be done; then it is a read'),
  mergeDuplicates: z
    .boolean()
    .default(false)
    .describe('Entries with the same body, scope and status become one, the others deprecated'),
  removeDeprecated: z.boolean().default(false).describe('Archive deprecated entries whose replacement is there'),
  normalizeCategories: z.boolean().default(true),
  purgeLegacyScopes: z.boolean().default(false).describe('Take scope:* tokens out of the stored categories'),
  updateHashes: z.boolean().default(true),
});

export const instructionsGroom = defineTool({
  name: 'instructions/groom',
  title: 'Groom the catalog',
  summary: 'Tidies all instructions: hashes and categories, and when asked duplicates, deprecated ones, old scopes.',
  guide: {
    when: ['many hands have edited the catalog'],
    not: ['you only want to check it: integrity/verify'],
    example: { mode: { dryRun: true, mergeDuplicates: true } },
  },
  effect: 'update',
  gated: true,
  readsWhen: (input) => input.mode.dryRun,
  stable: false,
  idempotent: true,
  streams: true,
  deadlineMs: instructionLimits.bulkDeadlineMs,
  input: z.strictObject({ mode: mode.prefault({}) }),
  output: z.object({
    previousHash: z.string(),
    hash: z.string(),
    scanned: z.int(),
    repairedHashes: z.int(),
    normalizedCategories: z.int(),
    deprecatedRemoved: z.int(),
    duplicatesMerged: z.int(),
    usagePruned: z.int(),
    filesRewritten: z.int(),
    purgedScopes: z.int(),
    dryRun: z.boolean(),
    notes: z.array(z.string()),
    performanceMs: z.number(),
  }),
  faults: ['MUTATION_DISABLED', 'READ_ONLY'],
  run: ({ writes }: Pick<Instructions, 'writes'>, input, call) => writes.groom(call, input),
});
