import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../truth.ts';
import { payloadAnswer, payloadInput } from './read-payload.ts';

export const getPayload = defineTool({
  name: 'get_payload',
  title: 'Get a payload',
  summary: 'Returns a payload as it was submitted: its body, provenance and all its submissions.',
  guide: {
    when: ['you want to read the source of a value that get_field_provenance named'],
    not: ['you want what is known now: get_entity_snapshot'],
    example: { payload_content_id: 'payload_5f0c3a9d1b7e2468ace01357' },
  },
  effect: 'read',
  answer: 'whole',
  input: payloadInput,
  output: payloadAnswer,
  faults: ['NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ payloads }: Pick<Truth, 'payloads'>, input, call) => payloads.get(input, call),
});
