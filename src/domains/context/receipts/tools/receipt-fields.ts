import { z } from 'zod';
import { contextLimits } from '../../context-limits.ts';
import { memoryNames } from '../../memories.ts';

export const memory = z.enum(memoryNames);

export const receiptId = z.string().min(1).max(contextLimits.receiptIdChars);

export const actorFields = {
  actor: z.string(),
  actor_name: z.string().optional().describe('Name of its key'),
};

export const summaryFields = {
  receipt_id: z.string(),
  at: z.string(),
  ...actorFields,
  task: z.string().describe('Its beginning'),
  budget_tokens: z.int(),
  tokens: z.int(),
  items_count: z.int(),
  left_out_count: z.int(),
};
