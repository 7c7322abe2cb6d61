import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { truthLimits } from '../../truth-limits.ts';
import type { Files } from '../files.ts';

const { pathChars, expiresDefaultS, expiresS } = truthLimits;

export const getFileUrl = defineTool({
  name: 'get_file_url',
  title: 'Get a link to a stored file',
  summary: 'Returns a URL that serves the file without further authentication until it expires.',
  guide: {
    when: ['a user wants to view or download a stored file'],
    example: { file_path: `fourfold://files/${'0'.repeat(64)}`, expires_in: 3600 },
  },
  effect: 'read',
  stable: false,
  guarantees: { consistency: 'strong', deterministic: false, why: 'the URL contains its expiry time' },
  input: z.strictObject({
    file_path: z.string().min(1).max(pathChars).describe('A file_url, or bucket/sha256'),
    expires_in: z.int().min(1).max(expiresS).default(expiresDefaultS).describe('Seconds'),
  }),
  output: z.object({ signed_url: z.string(), expires_at: z.string() }),
  faults: ['FILE_NOT_FOUND', 'SIGNING_FAILED', 'DB_QUERY_FAILED', 'SERVICE_UNAVAILABLE'],
  run: ({ files }: { readonly files: Files }, input, call) => files.fileUrl(input, call),
});
