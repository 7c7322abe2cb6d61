import { toIso } from '#kernel/clock/clock.ts';
import type { GivenEvent, TrackAnswer } from './usage-event.ts';
import type { CountRow, Increment } from './usage-store.ts';

export type Outcome =
  | { readonly kind: 'counted'; readonly row: CountRow; readonly sessionId: string }
  | { readonly kind: 'limited'; readonly row: CountRow | undefined; readonly sessionId: string }
  | { readonly kind: 'unknown'; readonly sessionId: string }
  | { readonly kind: 'off' };

export const idOf = (event: GivenEvent): string => event.id ?? event.instructionId ?? '';

export const toIncrement = (event: GivenEvent, by: Increment['by']): Increment => ({
  id: idOf(event),
  action: event.action ?? null,
  signal: event.signal ?? null,
  comment: event.comment ?? null,
  success: event.metrics === undefined ? null : event.metrics.success ? 1 : 0,
  executionMs: event.metrics?.executionTime ?? 0,
  errorCode: event.metrics?.errorCode ?? null,
  by,
});

const flagOf = (outcome: Outcome): TrackAnswer => {
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

/** Each form of the question has its own form of the answer. */
export function toTrackAnswer(event: GivenEvent, outcome: Outcome): TrackAnswer {
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
