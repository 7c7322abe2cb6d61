import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { truthLimits } from '../../truth-limits.ts';
import type { Files } from '../files.ts';

const { pathChars, expiresDefaultS, expiresS } = truthLimits;

export const getFileUrl = defineTool({
  name: 'get_file_url',
  title: 'Get a link to a stored file',
  summary: 'Answers an address of our own server that serves the file to whoever holds it, until it expires.',
  guide: {
    when: ['somebody wants to see or download a file that was stored'],
    example: { file_path: `fourfold://files/${'0'.repeat(64)}`, expires_in: 3600 },
  },
  effect: 'read',
  stable: false,
  guarantees: { consistency: 'strong', deterministic: false, why: 'the address holds the moment it expires' },
  input: z.strictObject({
    file_path: z.string().min(1).max(pathChars).describe('A file_url, or bucket/sha256'),
    expires_in: z.int().min(1).max(expiresS).default(expiresDefaultS).describe('Seconds'),
  }),
  output: z.object({ signed_url: z.string(), expires_at: z.string() }),
  faults: ['FILE_NOT_FOUND', 'SIGNING_FAILED', 'DB_QUERY_FAILED', 'SERVICE_UNAVAILABLE'],
  run: ({ files }: { readonly files: Files }, input, call) => files.fileUrl(input, call),
});
