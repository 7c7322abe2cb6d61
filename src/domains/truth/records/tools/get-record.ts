import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { recordWithStatements } from '../read-record.ts';
import { recordId } from '../record.ts';
import type { Records } from '../records.ts';

export const getRecord = defineTool({
  name: 'get_record',
  title: 'Get a record',
  summary: 'Returns a record or uploaded file with what was extracted from it, and where in its text.',
  guide: {
    when: ['you check what was read from a document'],
    not: ['you look for a record: retrieve_records'],
    example: { id: '01936f2e-7c1a-7b3a-9f00-2c6d1c3f8a11' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ id: recordId }),
  output: recordWithStatements,
  faults: ['RECORD_NOT_FOUND', 'VALIDATION_ERROR', 'DB_QUERY_FAILED', 'SERVICE_UNAVAILABLE'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ records }: { readonly records: Records }, input, call) => records.read(input, call),
});
