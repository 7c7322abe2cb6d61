import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Context } from '../../context.ts';
import { actorFields, memory, receiptId, summaryFields } from './receipt-fields.ts';

const difference = z.object({
  memory,
  id: z.string(),
  name: z.string().optional(),
  write: z
    .object({
      seq: z.int(),
      what: z.enum(['create', 'update', 'delete']),
      at: z.string(),
      ...actorFields,
      tool: z.string(),
    })
    .optional()
    .describe('The last write of this item between the two answers'),
  why: z.string().optional().describe('If there was no such write'),
});

export const recallCompare = defineTool({
  name: 'recall_compare',
  title: 'Compare two recalls',
  summary: 'Says which items appeared, vanished or changed between two receipts, and which write made the difference.',
  guide: {
    when: ['an agent got another answer than before'],
    example: { a: 'rcp_8hZr1xQ2', b: 'rcp_q0LmT77a' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ a: receiptId, b: receiptId }),
  output: z.object({
    a: z.object(summaryFields),
    b: z.object(summaryFields),
    arguments: z
      .array(z.object({ name: z.string(), a: z.unknown().optional(), b: z.unknown().optional() }))
      .describe('Those that differ'),
    appeared: z.array(difference),
    vanished: z.array(difference),
    changed: z.array(difference),
    unchanged_count: z.int(),
  }),
  faults: ['NOT_FOUND'],
  run: (context: Context, input, call) => context.receipts.compare(input, call),
});
