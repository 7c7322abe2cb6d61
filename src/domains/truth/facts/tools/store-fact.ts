import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';
import { factAnswer, factInput } from '../fact-model.ts';

export const storeFact = defineTool({
  name: 'store_fact',
  title: 'Store a fact',
  summary: 'Records facts about a person, task or anything else.',
  guide: {
    when: ['you learn something to remember'],
    not: ['you have a whole document: submit_payload'],
    example: {
      subject: { type: 'person', name: 'Alice Meyer' },
      relations: [
        { type: 'WORKS_AT', to: { type: 'company', name: 'Globex' }, effective_at: '2026-05' },
        { type: 'WORKS_AT', to: { type: 'company', name: 'Acme' }, effective_until: '2026-05' },
      ],
      source: 'e-mail of 2 May',
    },
  },
  effect: 'create',
  listed: true,
  idempotent: true,
  input: factInput,
  output: factAnswer,
  faults: [
    'FORGOTTEN',
    'VALIDATION_ERROR',
    'ENTITY_NOT_FOUND',
    'INVALID_RELATIONSHIP_TYPE',
    'CYCLE_DETECTED',
    'RESOURCE_LIMIT',
    'DB_INSERT_FAILED',
    'SERVICE_UNAVAILABLE',
  ],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ facts }: Pick<Truth, 'facts'>, input, call) => facts.store(input, call),
});
