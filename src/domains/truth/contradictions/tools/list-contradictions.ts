import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { contradictionsAnswer, contradictionsInput, contradictionsTool } from '../contradiction-model.ts';

export const listContradictionsTool = defineTool({
  name: contradictionsTool,
  title: 'List contradictions',
  summary:
    'Lists fields for which two sources state different values from the same time on, with both statements and the value that is shown.',
  guide: {
    when: ['sources may disagree, or the answer to a write names contradictions'],
    not: ['you want every statement about a field: get_field_history'],
    example: { entity_type: 'invoice', field: 'amount' },
  },
  effect: 'read',
  answer: 'whole',
  input: contradictionsInput,
  output: contradictionsAnswer,
  faults: ['ENTITY_NOT_FOUND', 'INVALID_PARAMS', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ contradictions }: Pick<Truth, 'contradictions'>, input, call) => contradictions.list(input, call),
});
