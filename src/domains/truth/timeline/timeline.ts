import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work } from '#kernel/storage/port.ts';
import { parseTime, type StatedTime } from '../iso-time.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { type TimelineAnswer, type TimelineInput, toTimelineEvent } from './timeline-model.ts';
import { countEvents, type EventFilter, type EventRow, listEvents, listEventTotals } from './timeline-store.ts';

export interface Timeline {
  list(input: TimelineInput, call: Call): Promise<TimelineAnswer>;
}

function toTime(text: string, field: string): StatedTime {
  const time = parseTime(text);
  if (time === undefined)
    throw faults.VALIDATION_ERROR(
      { why: `${field} is not an existing date` },
      { field, fix: `Send ${field} as 2026-04-30, or leave it out.` },
    );
  return time;
}

/** Both bounds are inclusive: `before_date` includes the whole day, month or year. */
function toFilter({ event_type, source_record_id, after_date, before_date }: TimelineInput): EventFilter {
  return {
    eventType: event_type,
    sourceId: source_record_id,
    from: after_date === undefined ? undefined : toTime(after_date, 'after_date').from,
    to: before_date === undefined ? undefined : toTime(before_date, 'before_date').end - 1,
  };
}

/** Totals per type are stored; other filters are counted on demand. */
function* countAll(db: Reader, filter: EventFilter): Work<number> {
  if (filter.sourceId === undefined && filter.from === undefined && filter.to === undefined) {
    const totals = yield* listEventTotals(db);
    const counted = totals.filter(({ key }) => filter.eventType === undefined || key === filter.eventType);
    return counted.reduce((sum, { count }) => sum + count, 0);
  }
  return (yield* countEvents(db, filter, truthLimits.countedCount))?.count ?? 0;
}

const newestFirst = (a: EventRow, b: EventRow): number => b.event_at - a.event_at || (a.event_id < b.event_id ? -1 : 1);

export function createTimeline({ storage }: Pick<TruthDeps, 'storage'>): Timeline {
  return {
    async list(input, call) {
      const filter = toFilter(input);
      return storage.read(call, function* (db) {
        const rows = yield* listEvents(db, filter, input.limit, input.offset);
        return { events: rows.toSorted(newestFirst).map(toTimelineEvent), total: yield* countAll(db, filter) };
      });
    },
  };
}
