import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';

export const truthPurge = defineTool({
  name: 'truth_purge',
  title: 'Remove forgotten bytes',
  summary: 'Removes what was forgotten from the files of the store, for all tenants, and completes the certificates.',
  guide: {
    when: ['a certificate is pending on PostgreSQL; calls wait while their table is written again'],
    example: {},
  },
  effect: 'update',
  expose: ['cli'],
  bulk: true,
  input: z.strictObject({}),
  output: z.object({ completed: z.int().describe('Certificates that are complete now') }),
  faults: ['STORE_BUSY'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: async ({ forgetting }: Pick<Truth, 'forgetting'>, _input, call) => ({
    completed: await forgetting.purge(call),
  }),
});
