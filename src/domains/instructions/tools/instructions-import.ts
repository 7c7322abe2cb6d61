import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { proposedManyFields } from './read-schemas.ts';

const inputSchema = z.strictObject({
  entries: z.array(z.unknown().meta({ type: 'object' })).describe('Instructions, in the form of instructions/add'),
  mode: z
    .enum(['skip', 'overwrite', 'merge'])
    .default('skip')
    .describe(
      'For an existing id: keep it, replace it with all its fields, or keep only the fields that the new one lacks',
    ),
  validate: z.boolean().default(true).describe('false: a trusted source; ids and types are still checked'),
  dryRun: z.boolean().default(false).describe('Counts what would be stored and stores nothing'),
  batchSize: z.int().min(1).max(instructionLimits.importBatchCount).default(instructionLimits.importBatchCount),
});

/** A value of another catalog and what it became. */
export const mappedField = z.object({ id: z.string(), field: z.string(), from: z.string(), to: z.string() });

const outputSchema = z.object({
  hash: z.string(),
  imported: z.int(),
  skipped: z.int(),
  overwritten: z.int(),
  total: z.int(),
  errors: z.array(z.object({ index: z.int(), id: z.string().optional(), error: z.string(), code: z.string() })),
  mappedCount: z.int().optional(),
  mapped: z
    .array(mappedField.extend({ index: z.int() }))
    .optional()
    .describe('Values of another catalog, translated'),
  processingTimeMs: z.number(),
  ...proposedManyFields,
});

export type ImportAnswer = DeepReadonly<z.infer<typeof outputSchema>>;
export type ImportInput = DeepReadonly<z.infer<typeof inputSchema>>;
export type ImportError = ImportAnswer['errors'][number];

export const instructionsImport = defineTool({
  name: 'instructions/import',
  title: 'Import instructions',
  summary: 'Stores many instructions in batches. A rejected one is reported and does not stop the others.',
  guide: {
    when: ['you have a backup or a set of rules'],
    not: ['you have one: instructions/add'],
    example: { entries: [{ id: 'commit-style', body: 'Write commit titles in the imperative.' }], mode: 'skip' },
  },
  effect: 'update',
  // The CLI command of this name works with files and folders.
  expose: ['mcp', 'http'],
  gated: true,
  stable: false,
  streams: true,
  deadlineMs: instructionLimits.bulkDeadlineMs,
  input: inputSchema,
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'RESOURCE_LIMIT'],
  readsWhen: ({ dryRun }) => dryRun,
  run: ({ writes }: Pick<Instructions, 'writes'>, input, call) => writes.import(call, input),
});
