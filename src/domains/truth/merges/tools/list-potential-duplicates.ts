import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { duplicatesAnswer, duplicatesInput, duplicatesTool } from '../merge-model.ts';

export const listPotentialDuplicates = defineTool({
  name: duplicatesTool,
  title: 'List potential duplicates',
  summary: 'Lists entities of one type whose name or identifier differs only in spelling.',
  guide: {
    when: ['you look for entities to merge with merge_entities'],
    example: { entity_type: 'company' },
  },
  effect: 'read',
  answer: 'whole',
  input: duplicatesInput,
  output: duplicatesAnswer,
  faults: ['INVALID_PARAMS', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ merges }: Pick<Truth, 'merges'>, input, call) => merges.duplicates(input, call),
});
