import type { Call } from '#kernel/call.ts';
import type { QueryRange } from '../query-range.ts';

/** What a user did. `active` is any call. */
export const eventKinds = ['active', 'upload', 'extraction', 'entity', 'timeline', 'search', 'ai_query'] as const;
export type EventKind = (typeof eventKinds)[number];

export type Filters = Readonly<Record<string, string | number | boolean>>;

export interface SourceQuery {
  /** Of the sign-ups, or of the events. */
  readonly range: QueryRange;
  readonly filters: Filters;
  readonly call: Call;
}

/** Users who signed up on one day, and how many of them came back in each window after it. */
export interface SignupDay {
  /** Days since 1970, in UTC. */
  readonly day: number;
  readonly users: number;
  readonly returned: readonly number[];
}

export interface StepValue {
  readonly day: number;
  readonly value: number;
}

/** Where the numbers come from: our own store or an analytics service. */
export interface AnalyticsSource {
  readonly name: 'embedded' | 'posthog' | 'mixpanel';
  /**
   * Windows of `widthDays` each, from the sign-up on. Users of a window did something in it, or `kind` if it is given.
   */
  retention(
    query: SourceQuery,
    widthDays: number,
    windowsCount: number,
    kind?: EventKind,
  ): Promise<readonly SignupDay[]>;
  /** Different users in each step of so many days. */
  activeUsers(query: SourceQuery, stepDays: number): Promise<readonly StepValue[]>;
  /** Events of a kind per user who had one, in each week. */
  perUserAndWeek(query: SourceQuery, kind: EventKind): Promise<readonly StepValue[]>;
}
