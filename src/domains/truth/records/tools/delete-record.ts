import { z } from 'zod';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { recordId } from '../record.ts';
import type { Records } from '../records.ts';

export const deleteRecord = defineTool({
  name: 'delete_record',
  title: 'Delete a record',
  summary: 'Deprecated (payloads are never deleted). Deletes a record; restore_record restores it within 30 days.',
  guide: {
    when: ['a record of an older client is no longer needed'],
    not: ['a fact is wrong: correct_entity', 'two entities are the same thing: merge_entities'],
    example: { id: '01936f2e-7c1a-7b3a-9f00-2c6d1c3f8a11' },
  },
  effect: 'delete',
  guarantees: { consistency: 'strong', deterministic: true },
  input: z.strictObject({ id: recordId }),
  output: z.object({ success: z.literal(true), deleted_id: z.string(), restore: restoreCall }),
  faults: ['RECORD_NOT_FOUND', 'DB_DELETE_FAILED', 'SERVICE_UNAVAILABLE'],
  run: async ({ records }: { readonly records: Records }, input, call) => ({
    ...(await records.delete(input, call)),
    restore: { tool: 'restore_record', arguments: { id: input.id } },
  }),
});
