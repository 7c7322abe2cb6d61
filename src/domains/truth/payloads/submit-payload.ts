import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../truth.ts';
import { submitAnswer, submitInput } from './payload-model.ts';

export const submitPayload = defineTool({
  name: 'submit_payload',
  title: 'Submit a payload',
  summary: 'Stores facts with their source. The same content is stored once.',
  guide: {
    when: ['you read an invoice, receipt or contract'],
    not: ['a stored value is wrong: correct_entity'],
    example: {
      capability_id: 'neotoma:store_invoice:v1',
      body: { invoice_number: 'INV-001', amount: 1500, vendor_name: 'Acme Corp', date: '2025-01-15' },
      provenance: {
        source_refs: [],
        extracted_at: '2025-01-15T10:30:00Z',
        extractor_version: 'neotoma-mcp:v0.2.1',
      },
    },
  },
  effect: 'create',
  idempotent: true,
  input: submitInput,
  output: submitAnswer,
  faults: ['VALIDATION_ERROR', 'UNKNOWN_CAPABILITY', 'FORGOTTEN', 'DB_INSERT_FAILED', 'SERVICE_UNAVAILABLE'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ payloads }: Pick<Truth, 'payloads'>, input, call) => payloads.submit(input, call),
});
