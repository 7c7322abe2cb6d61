import { z } from 'zod';
import { toIso } from '#kernel/clock/clock.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { usageSignals } from '../rules/activity-filter.ts';
import type { CountRow, Increment } from './usage-store.ts';

const usageActions = ['retrieved', 'applied', 'cited'] as const;

const shortText = z.string().min(1).max(instructionLimits.contextChars);
const instructionId = z.string().min(1).max(instructionLimits.usageIdChars);

const usageContext = z.strictObject({
  userId: shortText.optional(),
  workspaceId: shortText.optional(),
  sessionId: shortText.optional(),
  timestamp: z.iso.datetime({ offset: true }),
});

const usageMetrics = z.strictObject({
  executionTime: z.number().min(0).max(Number.MAX_SAFE_INTEGER).optional().describe('Milliseconds'),
  success: z.boolean(),
  errorCode: shortText.optional(),
});

/** Both documented forms in one object: clients drop a tool whose schema is a union at the top level. */
const eventFields = {
  id: instructionId.optional().describe('The instruction that was used'),
  action: z.enum(usageActions).optional(),
  signal: z.enum(usageSignals).optional(),
  comment: z.string().max(instructionLimits.commentChars).optional(),
  instructionId: instructionId.optional().describe('The same, with context and metrics'),
  context: usageContext.optional(),
  metrics: usageMetrics.optional(),
};

const eventObject = z.strictObject(eventFields);
export type UsageEvent = z.infer<typeof eventObject>;

/** Fields that are valid alone but not together. */
function findFieldConflict(event: UsageEvent): string | undefined {
  if (event.id !== undefined && event.instructionId !== undefined) return 'use either id or instructionId, not both';
  if (event.instructionId !== undefined) {
    if (event.context === undefined || event.metrics === undefined) return 'instructionId requires context and metrics';
    if (event.action !== undefined || event.signal !== undefined || event.comment !== undefined) {
      return 'action, signal and comment require id';
    }
    return undefined;
  }
  if (event.id === undefined) return 'needs id or instructionId';
  if (event.context !== undefined || event.metrics !== undefined) return 'context and metrics require instructionId';
  return undefined;
}

const usageEvent = eventObject.superRefine((event, refinement) => {
  const message = findFieldConflict(event);
  if (message !== undefined) refinement.addIssue({ code: 'custom', message });
});

export const usageTrackInput = z
  .strictObject({
    ...eventFields,
    events: z
      .array(usageEvent)
      .min(1)
      .max(instructionLimits.eventsCount)
      .optional()
      .describe('Several events, instead of id'),
  })
  .superRefine(({ events, ...event }, refinement) => {
    const isAlone = Object.values(event).every((value) => value === undefined);
    const message =
      events === undefined ? findFieldConflict(event) : isAlone ? undefined : 'use either events or a single event';
    if (message !== undefined) refinement.addIssue({ code: 'custom', message });
  });

export type UsageTrackInput = z.infer<typeof usageTrackInput>;

const trackAnswer = z.object({
  id: z.string().optional(),
  usageCount: z.int().optional(),
  firstSeenTs: z.string().optional(),
  lastUsedAt: z.string().optional(),
  tracked: z.boolean().optional(),
  sessionId: z.string().optional(),
  aggregatedCount: z.int().optional(),
  notFound: z.literal(true).optional(),
  rateLimited: z.literal(true).optional().describe('Not counted: too many in this second or this call'),
  featureDisabled: z.literal(true).optional(),
});
export type TrackAnswer = z.infer<typeof trackAnswer>;

export const usageTrackOutput = trackAnswer.extend({
  results: z.array(trackAnswer).optional().describe('One for each of events, in their order'),
});
export type UsageTrackOutput = z.infer<typeof usageTrackOutput>;

export type TrackOutcome =
  | { readonly kind: 'counted'; readonly row: CountRow; readonly sessionId: string }
  | { readonly kind: 'limited'; readonly row: CountRow | undefined; readonly sessionId: string }
  | { readonly kind: 'unknown'; readonly sessionId: string }
  | { readonly kind: 'off' };

export const instructionIdOf = (event: UsageEvent): string => event.id ?? event.instructionId ?? '';

export const toIncrement = (event: UsageEvent, by: Increment['by']): Increment => ({
  id: instructionIdOf(event),
  action: event.action ?? null,
  signal: event.signal ?? null,
  comment: event.comment ?? null,
  success: event.metrics === undefined ? null : event.metrics.success ? 1 : 0,
  executionMs: event.metrics?.executionTime ?? 0,
  errorCode: event.metrics?.errorCode ?? null,
  by,
});

const flagOf = (outcome: TrackOutcome): TrackAnswer => {
  switch (outcome.kind) {
    case 'limited':
      return { rateLimited: true };
    case 'unknown':
      return { notFound: true };
    case 'off':
      return { featureDisabled: true };
    case 'counted':
      return {};
  }
};

const toTimes = (row: CountRow): TrackAnswer => ({
  usageCount: row.usage_count,
  firstSeenTs: toIso(row.first_seen_at),
  lastUsedAt: toIso(row.last_used_at),
});

/** Each form of the input has its own form of the answer. */
export function toTrackAnswer(event: UsageEvent, outcome: TrackOutcome): TrackAnswer {
  const row = 'row' in outcome ? outcome.row : undefined;
  if (event.instructionId === undefined) {
    if (row === undefined) return flagOf(outcome);
    return { id: row.id, ...toTimes(row), ...flagOf(outcome) };
  }
  return {
    tracked: outcome.kind === 'counted',
    ...('sessionId' in outcome ? { sessionId: outcome.sessionId } : {}),
    aggregatedCount: row?.usage_count ?? 0,
    ...flagOf(outcome),
  };
}
