import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { forgottenFields } from '../../forgetting/tombstones.ts';
import { recordId, recordView } from '../../records/record.ts';
import { truthLimits } from '../../truth-limits.ts';
import { bucketPattern } from '../file-address.ts';
import type { Files } from '../files.ts';

export const uploadFile = defineTool({
  name: 'upload_file',
  title: 'Store a file',
  summary: 'Stores a file and extracts the facts of invoices, receipts and contracts.',
  guide: {
    when: ['a fact is in a file'],
    not: ['you already have the facts: submit_payload'],
    example: { file_path: 'invoices/2026-05.pdf' },
  },
  effect: 'create',
  idempotent: true,
  streams: true,
  positionals: ['file_path'],
  deadlineMs: truthLimits.uploadDeadlineMs,
  rate: { limit: truthLimits.uploadsPerMinuteCount, windowMs: 60_000 },
  guarantees: { consistency: 'strong', deterministic: true },
  input: z.strictObject({
    file_path: z.string().min(1).max(truthLimits.pathChars).optional(),
    content_base64: z.string().min(1).optional().describe('Or this + file_name'),
    file_name: z.string().min(1).max(truthLimits.fileNameChars).optional(),
    record_id: recordId.optional().describe('To attach it'),
    bucket: z.string().regex(bucketPattern).default('files'),
    properties: z.string().max(truthLimits.propertiesChars).optional().describe('JSON; no analysis'),
  }),
  output: z.object({
    record: recordView.optional(),
    /** Only if the bytes were known and properties were given. */
    updated: z.boolean().optional().describe('Whether the properties changed the record of a known file'),
    file_url: z.string(),
    file_size: z.int(),
    content_type: z.string(),
    ...forgottenFields,
  }),
  faults: [
    'VALIDATION_ERROR',
    'FORGOTTEN',
    'FILE_NOT_FOUND',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_FILE_TYPE',
    'RECORD_NOT_FOUND',
    'UPLOAD_FAILED',
    'ANALYSIS_FAILED',
    'DB_QUERY_FAILED',
    'DB_INSERT_FAILED',
    'SERVICE_UNAVAILABLE',
    'RATE_LIMIT_EXCEEDED',
  ],
  run: ({ files }: { readonly files: Files }, input, call) => files.upload(input, call),
});
