import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):(\d{2}))?)?$/;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/**
 * Undefined if the text is not an existing ISO 8601 date or date-time. A time without a zone is UTC, so that every
 * machine reads the same moment.
 */
export function dateToMs(text: string): number | undefined {
  const found = isoDate.exec(text);
  if (found === null) return undefined;
  const part = (i: number): number => Number(found[i] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  const [aheadHours, aheadMinutes] = [part(10), part(11)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || aheadHours > 23 || aheadMinutes > 59) return undefined;
  const thousandths = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const moment = new Date(0);
  // `Date.UTC` would read the year 99 as 1999.
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minute, second, thousandths);
  const aheadMs = (aheadHours * 60 + aheadMinutes) * 60_000;
  return moment.getTime() - (found[9] === '-' ? -aheadMs : aheadMs);
}

/** The zone is required: without it each machine would read another moment. */
export const isoTime = z.iso.datetime({ offset: true });

export const toIso = (ms: number): string => new Date(ms).toISOString();

/** The schema accepts 30 February; this rejects it. */
export function toMs(text: string, field: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw faults.VALIDATION_ERROR({ why: `${field} is not an existing time` }, { field });
  return ms;
}
