import { z } from 'zod';
import { listSome } from '#kernel/text/list-some.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { reviewSeverities } from '../review/criteria.ts';

const severity = z.enum(reviewSeverities);

const outputSchema = z.object({
  issues: z.array(
    z.object({
      ruleId: z.string(),
      severity,
      description: z.string(),
      match: z.string().optional(),
      matchCount: z.int().optional(),
      category: z.string(),
      remediation: z.string().optional(),
    }),
  ),
  summary: z.object({ counts: z.record(z.string(), z.int()), highestSeverity: severity.optional() }),
});

export type ReviewReport = DeepReadonly<z.infer<typeof outputSchema>>;
export type ReviewIssue = ReviewReport['issues'][number];

/** At least as severe; the order of `reviewSeverities` is the order of severity. */
function findIssues({ issues }: ReviewReport, failOn: string): string | undefined {
  const ranks: readonly string[] = reviewSeverities;
  const severe = ranks.slice(ranks.indexOf(failOn));
  const found = issues.filter((issue) => severe.includes(issue.severity));
  if (found.length === 0) return undefined;
  return `found ${listSome(found.map(({ ruleId, severity: rank }) => `${ruleId} (${rank})`))}`;
}

export const promptReview = defineTool({
  name: 'prompt/review',
  title: 'Review a prompt',
  summary: 'Checks a prompt for secrets, unsafe requests and unclear wording, and suggests fixes.',
  guide: {
    when: ['you wrote or changed an instruction and want to publish it'],
    example: { prompt: 'Review each change for tests before you approve it.' },
  },
  effect: 'read',
  stripsNul: true,
  // The default first: like a warning of a gate, lesser issues do not fail.
  failOn: ['medium', ...reviewSeverities.filter((one) => one !== 'medium')],
  findFailure: findIssues,
  input: z.strictObject({ prompt: z.string().describe('At most 10,000 characters') }),
  output: outputSchema,
  faults: ['RESOURCE_LIMIT', 'VALIDATION_ERROR', 'WORKERS_BUSY'],
  run: ({ review }: Pick<Instructions, 'review'>, { prompt }, call) => review.review(prompt, call),
});
