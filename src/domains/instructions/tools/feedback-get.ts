import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { feedbackId, feedbackLookup } from '../feedback/feedback-entry.ts';
import type { Instructions } from '../instructions.ts';

export const feedbackGet = defineTool({
  name: 'feedback/get',
  title: 'Read one feedback entry',
  summary: 'Returns one feedback entry as it was submitted, with its status and notes.',
  guide: { when: ['you know the id of an entry'], example: { id: '01900000-0000-7000-8000-000000000000' } },
  effect: 'read',
  input: z.strictObject({ id: feedbackId }),
  output: feedbackLookup,
  faults: [],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, { id }, call) => feedback.get(id, call),
});
