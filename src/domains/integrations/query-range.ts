import { z } from 'zod';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';

const moment = z.iso.datetime({ offset: true });

export const timeRangeInput = z.strictObject({ start: moment, end: moment });
export const timeRangeOutput = z.object({ start: z.string(), end: z.string() });

export interface QueryRange {
  readonly startMs: number;
  readonly endMs: number;
}

type StatedRange = z.infer<typeof timeRangeInput>;

/** Without a stated range: the last `defaultMs` until now. */
export function readRange(stated: StatedRange | undefined, nowMs: number, defaultMs: number): QueryRange {
  if (stated === undefined) return { startMs: nowMs - defaultMs, endMs: nowMs };
  const [startMs, endMs] = [Date.parse(stated.start), Date.parse(stated.end)];
  if (startMs < endMs) return { startMs, endMs };
  throw faults.VALIDATION_ERROR(
    { why: `time_range.end (${stated.end}) must be later than time_range.start (${stated.start})` },
    { field: 'time_range' },
  );
}

export const showRange = ({ startMs, endMs }: QueryRange) => ({ start: toIso(startMs), end: toIso(endMs) });
