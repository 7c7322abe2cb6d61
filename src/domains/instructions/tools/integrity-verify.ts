import { z } from 'zod';
import { listSome } from '#kernel/text/list-some.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  hash: z.string(),
  count: z.int(),
  issues: z.array(z.object({ id: z.string(), expected: z.string(), actual: z.string() })),
  issueCount: z.int(),
  truncated: z.literal(true).optional(),
});

export type IntegrityReport = DeepReadonly<z.infer<typeof outputSchema>>;
export type IntegrityIssue = IntegrityReport['issues'][number];

export const integrityVerify = defineTool({
  name: 'integrity/verify',
  title: 'Verify the catalog',
  summary: 'Hashes every body again and lists the entries whose stored hash differs.',
  guide: { when: ['you suspect that entries were edited outside the tools'], example: {} },
  effect: 'read',
  failOn: ['issues'],
  findFailure: ({ issueCount, issues }) =>
    issueCount === 0
      ? undefined
      : `the body does not match the recorded hash: ${listSome(
          issues.map(({ id }) => id),
          issueCount,
        )}`,
  input: z.strictObject({}),
  output: outputSchema,
  faults: [],
  run: ({ integrity }: Pick<Instructions, 'integrity'>, _input, call) => integrity.verify(call),
});
