import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';

export const instructionsRepair = defineTool({
  name: 'instructions/repair',
  title: 'Repair stored hashes',
  summary: 'Corrects stored hashes that do not match the bodies. With clientHash or known it answers like diff.',
  guide: {
    when: ['integrity/verify found issues that are intended edits'],
    not: ['you want to know what changed: instructions/diff'],
    whileShut:
      'With clientHash or known it answers like diff and is allowed; propose changed bodies with instructions/propose. An admin runs fourfold instructions repair, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: {},
  },
  effect: 'update',
  gated: true,
  // It rewrites rules; a comparison is a read.
  scope: 'admin',
  readsWhen: ({ clientHash, known }) => clientHash !== undefined || known !== undefined,
  stable: false,
  idempotent: true,
  streams: true,
  deadlineMs: instructionLimits.bulkDeadlineMs,
  input: z.strictObject({
    clientHash: z.string().max(200).optional(),
    known: z.array(z.strictObject({ id: z.string(), sourceHash: z.string() })).optional(),
  }),
  output: z.looseObject({
    repaired: z.int().optional(),
    updated: z.array(z.unknown()).optional(),
    hash: z.string(),
  }),
  faults: ['MUTATION_DISABLED', 'READ_ONLY', 'PERMISSION_DENIED'],
  run: async ({ writes }: Pick<Instructions, 'writes'>, input, call) =>
    (await writes.repair(call, input)) as { readonly hash: string },
});
