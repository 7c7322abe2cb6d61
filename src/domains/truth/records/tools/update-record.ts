import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { embedding, fileUrls, propertyMap, recordId, recordType, recordView } from '../record.ts';
import type { Records } from '../records.ts';

export const updateRecord = defineTool({
  name: 'update_record',
  title: 'Update a record',
  summary:
    'Deprecated, use submit_payload with the updated facts instead. Merges properties into a record and replaces other fields.',
  guide: {
    when: ['a record of an older client must be changed'],
    not: ['a fact about an entity was wrong: correct_entity, or submit_payload with the new facts'],
    example: { id: '01936f2e-7c1a-7b3a-9f00-2c6d1c3f8a11', properties: { status: 'paid' } },
  },
  effect: 'update',
  idempotent: true,
  guarantees: { consistency: 'strong', deterministic: true },
  input: z
    .strictObject({
      id: recordId,
      type: recordType.optional(),
      properties: propertyMap.optional().describe('Merged at the top level'),
      file_urls: fileUrls.optional(),
      embedding: embedding.optional(),
    })
    .refine(({ id: _id, ...changes }) => Object.values(changes).some((change) => change !== undefined), {
      error: 'must contain type, properties, file_urls or embedding',
    }),
  output: recordView,
  faults: ['RECORD_NOT_FOUND', 'VALIDATION_ERROR', 'DB_UPDATE_FAILED', 'SERVICE_UNAVAILABLE'],
  run: ({ records }: { readonly records: Records }, input, call) => records.update(input, call),
});
