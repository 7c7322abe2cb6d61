import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { dayMs, toDay } from './analytics-limits.ts';
import type { AnalyticsSource, Filters, SignupDay } from './analytics-source.ts';
import { countActive, countEvents, countReached, countReturns, countSignups } from './analytics-store.ts';

function refuseFilters(filters: Filters): void {
  if (Object.keys(filters).length === 0) return;
  throw faults.VALIDATION_ERROR(
    { why: 'filters are for PostHog and Mixpanel; leave them out, or choose users with cohort' },
    { field: 'filters' },
  );
}

/** The tenant's own events. */
export const createEmbeddedSource = (storage: Pick<Storage, 'read'>): AnalyticsSource => ({
  name: 'embedded',
  async retention({ range, filters, call }, widthDays, windowsCount, kind): Promise<readonly SignupDay[]> {
    refuseFilters(filters);
    const { startMs, endMs } = range;
    const [signups, returns] = await storage.read(call, function* (db) {
      const days = yield* countSignups(db, startMs, endMs);
      const rows =
        kind === undefined
          ? yield* countReturns(db, startMs, endMs, widthDays, windowsCount)
          : yield* countReached(db, startMs, endMs, widthDays * windowsCount * dayMs, kind);
      return [days, rows] as const;
    });
    const byDay = Map.groupBy(returns, ({ day }) => day);
    return signups.map(({ day, users }) => {
      const returned = Array.from({ length: windowsCount }, () => 0);
      for (const row of byDay.get(day) ?? []) returned[row.step] = row.users;
      return { day, users, returned };
    });
  },
  async activeUsers({ range, filters, call }, stepDays) {
    refuseFilters(filters);
    const fromDay = toDay(range.startMs);
    const rows = await storage.read(call, (db) => countActive(db, fromDay, toDay(range.endMs - 1), stepDays));
    return rows.map(({ step, users }) => ({ day: fromDay + step * stepDays, value: users }));
  },
  async perUserAndWeek({ range, filters, call }, kind) {
    refuseFilters(filters);
    const fromDay = toDay(range.startMs);
    const rows = await storage.read(call, (db) => countEvents(db, fromDay, toDay(range.endMs - 1), kind));
    return rows.map(({ step, events, users }) => ({ day: fromDay + step * 7, value: events / users }));
  },
});
