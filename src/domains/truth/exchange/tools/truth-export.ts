import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';

export const truthExport = defineTool({
  name: 'truth_export',
  title: 'Export truth to a file',
  summary: 'Writes payloads, observations, records, files with their bytes, merges and relationships as JSON Lines.',
  guide: { when: ['truth should move to another server'], example: { to: 'truth.jsonl' } },
  effect: 'read',
  expose: ['cli'],
  bulk: true,
  input: z.strictObject({
    to: z.string().min(1).describe('The file to write'),
    force: z.boolean().default(false).describe('Overwrites an existing file'),
  }),
  output: z.object({
    file: z.string(),
    tenant: z.string(),
    rows: z.int(),
    bytes: z.int(),
    files: z.int().optional().describe('Uploaded files whose bytes are in the export'),
    leftOut: z
      .array(z.object({ file: z.string(), problem: z.string() }))
      .optional()
      .describe('Uploaded files whose bytes are missing or damaged'),
  }),
  faults: ['FILES_TAKEN', 'FILES_UNAVAILABLE'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ transfer }: Pick<Truth, 'transfer'>, input, call) => transfer.export(input, call),
});
