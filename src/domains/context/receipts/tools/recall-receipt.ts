import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Context } from '../../context.ts';
import { memory, receiptId, summaryFields } from './receipt-fields.ts';

const item = { memory, id: z.string(), name: z.string().optional(), score: z.number() };

export const recallReceipt = defineTool({
  name: 'recall_receipt',
  title: 'Receipt of a recall',
  summary: 'Returns what an earlier recall answered: its arguments, items with hash and score, and what it left out.',
  guide: {
    when: ['you want to know what an agent was given for a task'],
    not: ['you want the texts: read the items themselves'],
    example: { receipt_id: 'rcp_8hZr1xQ2' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ receipt_id: receiptId }),
  output: z.object({
    ...summaryFields,
    arguments: z.object({
      task: z.string(),
      files: z.array(z.string()).optional(),
      budget_tokens: z.int(),
      memories: z.array(memory).optional(),
      at: z.string().optional(),
      namespace: z.string().optional(),
    }),
    incomplete: z.literal(true).optional(),
    seq: z.int().describe('The newest write before the answer'),
    items: z.array(z.object({ ...item, hash: z.string(), tokens: z.int(), cut: z.literal(true).optional() })),
    left_out: z.record(z.string(), z.int()).optional(),
    left_out_items: z.array(z.object(item)).describe('The best of those that did not fit'),
  }),
  faults: ['NOT_FOUND'],
  run: (context: Context, input, call) => context.receipts.get(input, call),
});
