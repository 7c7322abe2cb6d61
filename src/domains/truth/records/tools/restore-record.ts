import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { recordId, recordView } from '../record.ts';
import type { Records } from '../records.ts';

export const restoreRecord = defineTool({
  name: 'restore_record',
  title: 'Restore a deleted record',
  summary: 'Deprecated, use submit_payload instead. Restores a deleted record.',
  guide: {
    when: ['a record was deleted by mistake, at most 30 days ago'],
    not: ['you want an earlier version of a record: only the last one is kept'],
    example: { id: '01936f2e-7c1a-7b3a-9f00-2c6d1c3f8a11' },
  },
  effect: 'update',
  idempotent: true,
  guarantees: { consistency: 'strong', deterministic: true },
  input: z.strictObject({ id: recordId }),
  output: recordView,
  faults: ['RECORD_NOT_FOUND', 'FORGOTTEN', 'DB_UPDATE_FAILED', 'SERVICE_UNAVAILABLE'],
  run: ({ records }: { readonly records: Records }, input, call) => records.restore(input, call),
});
