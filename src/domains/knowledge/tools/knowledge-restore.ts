import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Knowledge } from '../knowledge.ts';
import { librarySummary } from './knowledge-list.ts';

export const knowledgeRestore = defineTool({
  name: 'knowledge_restore',
  title: 'Restore a library',
  summary: 'Restores a library that was removed in the last 30 days.',
  guide: { when: ['a library was removed by mistake'], example: { library: 'zod', version: '4.6.7' } },
  effect: 'create',
  bulk: true,
  input: z.strictObject({ library: z.string().min(1), version: z.string().min(1) }),
  output: librarySummary,
  faults: ['CONFLICT', 'NOT_FOUND'],
  run: ({ libraries }: Pick<Knowledge, 'libraries'>, input, call) => libraries.restore(input, call),
});
