import { z } from 'zod';
import { instructionEntry } from '../entry-model.ts';

/** What may be governed without touching what the instruction says. */
export const governancePatch = z.strictObject(
  instructionEntry
    .pick({
      owner: true,
      status: true,
      lastReviewedAt: true,
      nextReviewDue: true,
      reviewIntervalDays: true,
      classification: true,
      priority: true,
      requirement: true,
      supersedes: true,
      deprecatedBy: true,
      semanticSummary: true,
      title: true,
    })
    .partial().shape,
);

export type GovernancePatch = z.infer<typeof governancePatch>;

export const governanceUpdateInput = z.strictObject({
  id: z.string().min(1).max(120),
  patch: governancePatch.optional(),
  bump: z.enum(['patch', 'minor', 'major', 'none']).optional().describe('Raise the version'),
  owner: governancePatch.shape.owner,
  status: governancePatch.shape.status,
  lastReviewedAt: governancePatch.shape.lastReviewedAt,
  nextReviewDue: governancePatch.shape.nextReviewDue,
});

export type GovernanceUpdateInput = z.infer<typeof governanceUpdateInput>;
