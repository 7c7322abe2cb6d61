import { defineTool } from '#kernel/tool/tool.ts';
import { feedbackLookup, feedbackUpdateInput } from '../feedback/feedback-entry.ts';
import type { Instructions } from '../instructions.ts';

export const feedbackUpdate = defineTool({
  name: 'feedback/update',
  title: 'Update feedback',
  summary: 'Sets the status of a feedback entry, with notes.',
  guide: {
    when: ['you started or finished work on a report'],
    whileShut:
      'feedback/submit adds what you know as a new entry; changes of rules are proposed with instructions/propose. An admin runs fourfold feedback update <id> <status>, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: { id: '01900000-0000-7000-8000-000000000000', status: 'resolved', adminNotes: 'Corrected.' },
  },
  effect: 'update',
  idempotent: true,
  gated: true,
  scope: 'admin',
  input: feedbackUpdateInput,
  output: feedbackLookup,
  faults: ['MUTATION_DISABLED', 'PERMISSION_DENIED'],
  run: ({ feedback }: Pick<Instructions, 'feedback'>, input, call) => feedback.update(input, call),
});
