import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';

const isoDate =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):(\d{2}))?)?)?)?$/;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

const daysIn = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;

/** `Date.UTC` would read the year 99 as 1999. */
function utc(year: number, month: number, day: number): number {
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  return moment.getTime();
}

/** How many characters of an ISO 8601 time were stated: a year, a month, a day or a moment. */
const yearChars = 4;
const monthChars = 7;
const dayChars = 10;
const momentChars = 24;

/** A time as it was stated: `2026-05` is the whole month. */
export interface StatedTime {
  readonly from: number;
  /** The first millisecond after it. */
  readonly end: number;
  /** Characters of its ISO 8601 form. */
  readonly chars: number;
  readonly hasZone: boolean;
}

/** Undefined if the text is not an existing year, month, day or moment. Without a zone it is UTC. */
export function parseTime(text: string): StatedTime | undefined {
  const found = isoDate.exec(text);
  if (found === null) return undefined;
  const part = (i: number, fallback = 0): number => (found[i] === undefined ? fallback : Number(found[i]));
  const [year, month, day] = [part(1), part(2, 1), part(3, 1)];
  const [hour, minute, second, aheadHours, aheadMinutes] = [part(4), part(5), part(6), part(10), part(11)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59 || aheadHours > 23 || aheadMinutes > 59) return undefined;
  const from = utc(year, month, day);
  if (found[2] === undefined) return { from, end: utc(year + 1, 1, 1), chars: yearChars, hasZone: false };
  if (found[3] === undefined) return { from, end: utc(year, month + 1, 1), chars: monthChars, hasZone: false };
  if (found[4] === undefined) return { from, end: utc(year, month, day + 1), chars: dayChars, hasZone: false };
  const thousandths = Number((found[7] ?? '').slice(0, 3).padEnd(3, '0'));
  const aheadMs = (aheadHours * 60 + aheadMinutes) * 60_000;
  const sinceMidnight = ((hour * 60 + minute) * 60 + second) * 1_000 + thousandths;
  const moment = from + sinceMidnight - (found[9] === '-' ? -aheadMs : aheadMs);
  return {
    from: moment,
    end: moment + 1,
    chars: momentChars,
    hasZone: found[8] !== undefined || found[9] !== undefined,
  };
}

/** The start of an existing ISO 8601 date or time; without a zone it is UTC, so that every machine reads the same. */
export const dateToMs = (text: string): number | undefined => parseTime(text)?.from;

export const toIso = (ms: number): string => new Date(ms).toISOString();

/** With the precision that was stated: `2026-05`, not the first of May. */
export const showTime = (ms: number, chars: number = momentChars): string => toIso(ms).slice(0, chars);

/** For people: midnight is shown as its day. */
export const showMoment = (ms: number): string => toIso(ms).replace(/T00:00:00\.000Z$/, '');

/** The longest text of a time. */
const timeTextChars = 40;

/** An argument that is a time. `readTime` checks the text, because a date can be well formed and not exist. */
export const timeField = z.string().max(timeTextChars);

const timeForms = '2026-04-30T10:30:00Z (with a zone), or 2026-04-30, 2026-04 or 2026 in UTC';

/** A time of day needs a zone: without it each machine would read another moment. */
export function readTime(text: string, field: string): StatedTime {
  const time = text.length <= timeTextChars ? parseTime(text) : undefined;
  if (time !== undefined && (time.chars < momentChars || time.hasZone)) return time;
  throw faults.VALIDATION_ERROR(
    {
      why: `${field} is not an existing time; use ${timeForms}`,
    },
    { field, fix: `Send ${field} as ${timeForms}; leave it out for now.` },
  );
}
