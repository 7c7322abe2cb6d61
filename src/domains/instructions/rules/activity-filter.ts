import type { InstructionEntry } from '../entry-model.ts';

export const usageSignals = ['helpful', 'not-relevant', 'outdated', 'applied'] as const;
export type UsageSignal = (typeof usageSignals)[number];

/** Conditions on what happened to a rule. All given ones must hold. */
export interface ActivityFilter {
  readonly reviewOverdue?: boolean | undefined;
  /** Neither served nor used for this many days, and not younger. */
  readonly unusedDays?: number | undefined;
  /** Has open signals of one of these kinds. */
  readonly signal?: UsageSignal | readonly UsageSignal[] | undefined;
  /** At least this many of them; default: 1. */
  readonly signalMin?: number | undefined;
}

/** What filters need to know besides the entry. */
export interface RuleActivity {
  readonly now: number;
  /** Undefined if that was before the time that the filters ask for. */
  lastActiveAt(id: string): number | undefined;
  openSignalsCount(entry: InstructionEntry, signal: UsageSignal): number;
}

export interface ActivityNeeds {
  /** The largest `unusedDays`. */
  readonly days: number | undefined;
  readonly signals: readonly UsageSignal[];
}

const signalsOf = ({ signal = [] }: ActivityFilter): readonly UsageSignal[] => [signal].flat();

export function toActivityNeeds(filters: Iterable<ActivityFilter>): ActivityNeeds {
  let days: number | undefined;
  const signals = new Set<UsageSignal>();
  for (const filter of filters) {
    if (filter.unusedDays !== undefined) days = Math.max(days ?? 0, filter.unusedDays);
    for (const signal of signalsOf(filter)) signals.add(signal);
  }
  return { days, signals: [...signals] };
}

export const dayMs = 24 * 60 * 60 * 1_000;

export const isReviewOverdue = ({ nextReviewDue }: Pick<InstructionEntry, 'nextReviewDue'>, now: number): boolean =>
  nextReviewDue !== undefined && Date.parse(nextReviewDue) < now;

export function toActivityConditions(
  filter: ActivityFilter,
  activity: RuleActivity,
): readonly ((entry: InstructionEntry) => boolean)[] {
  const { reviewOverdue, unusedDays, signalMin = 1 } = filter;
  const signals = signalsOf(filter);
  const conditions: ((entry: InstructionEntry) => boolean)[] = [];
  if (reviewOverdue !== undefined) conditions.push((entry) => isReviewOverdue(entry, activity.now) === reviewOverdue);
  if (unusedDays !== undefined) {
    const since = activity.now - unusedDays * dayMs;
    conditions.push(
      ({ id, createdAt }) =>
        Date.parse(createdAt) <= since && (activity.lastActiveAt(id) ?? Number.NEGATIVE_INFINITY) < since,
    );
  }
  if (signals.length > 0) {
    conditions.push(
      (entry) => signals.reduce((sum, signal) => sum + activity.openSignalsCount(entry, signal), 0) >= signalMin,
    );
  }
  return conditions;
}
