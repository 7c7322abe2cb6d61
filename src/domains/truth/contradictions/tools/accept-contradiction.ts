import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { acceptAnswer, acceptInput } from '../contradiction-model.ts';

export const acceptContradiction = defineTool({
  name: 'accept_contradiction',
  title: 'Accept a contradiction',
  summary: 'Closes a contradiction without a change: the value that is shown stays. Who, when and why is recorded.',
  guide: {
    when: ['two sources disagree, and the value that is shown is right'],
    not: ['the right value is another one: correct_entity', 'a statement was wrong: retract_statement'],
    example: { contradiction_id: 'con_5f0c3a9d1b7e2468ace01357', reason: 'The invoice counts, not the reminder' },
  },
  effect: 'update',
  idempotent: true,
  input: acceptInput,
  output: acceptAnswer,
  faults: ['NOT_FOUND', 'VALIDATION_ERROR', 'DB_UPDATE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ contradictions }: Pick<Truth, 'contradictions'>, input, call) => contradictions.accept(input, call),
});
