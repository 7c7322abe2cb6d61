import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { restoreAnswer, restoreInput } from '../restore-statement.ts';

export const restoreStatement = defineTool({
  name: 'restore_statement',
  title: 'Restore a statement',
  summary:
    'States a retracted fact, payload or correction again as it was: same times, source, author and relationships.',
  guide: {
    when: ['retract_statement or forget was a mistake'],
    not: ['it holds again after it had ended: store_fact'],
    example: { id: 'sub_01975e0c-3b1a-7c2e-9f10-5a2b7c8d9e0f' },
  },
  effect: 'update',
  idempotent: true,
  input: restoreInput,
  output: restoreAnswer,
  faults: ['NOT_FOUND', 'VALIDATION_ERROR', 'FORGOTTEN', 'CYCLE_DETECTED', 'RESOURCE_LIMIT', 'DB_UPDATE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ facts }: Pick<Truth, 'facts'>, input, call) => facts.restore(input, call),
});
