import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { feedbackSubmitInput } from '../feedback/feedback-entry.ts';
import type { Instructions } from '../instructions.ts';

export const feedbackSubmit = defineTool({
  name: 'feedback/submit',
  title: 'Submit feedback',
  summary: 'Stores a report of an issue, a request or a security problem for the operators of the server.',
  guide: {
    when: ['something does not work as documented', 'you found a security problem'],
    example: {
      type: 'bug-report',
      severity: 'medium',
      title: 'Search finds nothing',
      description: 'The search tool returns no results for a word in a title.',
      tags: ['search'],
    },
  },
  effect: 'create',
  input: feedbackSubmitInput,
  output: z.object({ feedbackId: z.string(), status: z.literal('submitted'), timestamp: z.string() }),
  faults: ['RESOURCE_LIMIT'],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, input, call) => feedback.submit(input, call),
});
