import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Context } from '../../context.ts';
import { contextLimits } from '../../context-limits.ts';
import { summaryFields } from './receipt-fields.ts';

export const recallReceipts = defineTool({
  name: 'recall_receipts',
  title: 'Receipts of recalls',
  summary: 'Lists what agents recalled, newest first.',
  guide: { when: ['you look for the receipt of an earlier recall'], example: { limit: 20 } },
  effect: 'read',
  answer: 'page',
  input: z.strictObject({
    limit: z.int().min(1).max(contextLimits.receiptsPageCount).default(20),
    cursor: z.string().max(2_048).optional(),
  }),
  output: z.object({ receipts: z.array(z.object(summaryFields)), next_cursor: z.string().optional() }),
  faults: ['INVALID_PARAMS'],
  run: (context: Context, input, call) => context.receipts.list(input, call),
});
