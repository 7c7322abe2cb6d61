import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { retractAnswer, retractInput } from '../retract-statement.ts';

export const retractStatement = defineTool({
  name: 'retract_statement',
  title: 'Retract a statement',
  summary:
    'Takes back a correction, a fact, a payload or what a file states: snapshots no longer use it. The history still shows it, and as_known_at before that still counts it.',
  guide: {
    when: ['a correction or a fact was wrong itself', 'a contradiction is settled'],
    not: ['a value has changed: store_fact', 'a value is wrong: correct_entity'],
    example: { id: 'sub_01975e0c-3b1a-7c2e-9f10-5a2b7c8d9e0f', reason: 'Said about another Alice' },
  },
  effect: 'update',
  idempotent: true,
  input: retractInput,
  output: retractAnswer,
  faults: ['NOT_FOUND', 'VALIDATION_ERROR', 'DB_UPDATE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ facts }: Pick<Truth, 'facts'>, input, call) => facts.retract(input, call),
});
