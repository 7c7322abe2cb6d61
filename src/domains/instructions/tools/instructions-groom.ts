import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { proposedManyFields } from './read-schemas.ts';

const mode = z.strictObject({
  dryRun: z.boolean().default(false).describe('Only reports what would change; counts as a read'),
  mergeDuplicates: z
    .boolean()
    .default(false)
    .describe('Merges entries with the same body, scope, audience and status into one and deprecates the others'),
  removeDeprecated: z.boolean().default(false).describe('Archives deprecated entries whose replacement exists'),
  normalizeCategories: z.boolean().default(true),
  purgeLegacyScopes: z.boolean().default(false).describe('Removes scope:* tokens from the stored categories'),
  updateHashes: z.boolean().default(true),
});

const inputSchema = z.strictObject({ mode: mode.prefault({}) });

const outputSchema = z.object({
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
  ...proposedManyFields,
});

export type GroomAnswer = DeepReadonly<z.infer<typeof outputSchema>>;
export type GroomInput = DeepReadonly<z.infer<typeof inputSchema>>;

export const instructionsGroom = defineTool({
  name: 'instructions/groom',
  title: 'Groom the catalog',
  summary:
    'Repairs hashes and categories of all instructions; optionally merges duplicates and removes deprecated ones.',
  guide: {
    when: ['many people have edited the catalog'],
    not: ['you only want to check it: integrity/verify'],
    whileShut:
      'mode: {"dryRun": true} shows what it would change and is allowed; propose single changes with instructions/propose. An admin runs fourfold instructions groom, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: { mode: { dryRun: true, mergeDuplicates: true } },
  },
  effect: 'update',
  gated: true,
  readsWhen: (input) => input.mode.dryRun,
  stable: false,
  idempotent: true,
  streams: true,
  deadlineMs: instructionLimits.bulkDeadlineMs,
  input: inputSchema,
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'READ_ONLY'],
  run: ({ writes }: Pick<Instructions, 'writes'>, input, call) => writes.groom(call, input),
});
