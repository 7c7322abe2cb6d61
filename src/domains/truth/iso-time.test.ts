import { describe, expect, test } from 'vitest';
import { parseTime, readTime, showTime } from './iso-time.ts';

const ms = (text: string): number => Date.parse(text);

describe('stated times', () => {
  test.each([
    ['2026', '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2026-04', '2026-04-01T00:00:00Z', '2026-05-01T00:00:00Z'],
    ['2026-12', '2026-12-01T00:00:00Z', '2027-01-01T00:00:00Z'],
    ['2026-02-28', '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z'],
    ['2026-04-30T10:30:00+02:00', '2026-04-30T08:30:00Z', '2026-04-30T08:30:00.001Z'],
  ])('%s covers a period in UTC and is shown as it was stated', (text, from, end) => {
    const time = readTime(text, 'at');
    expect([time.from, time.end]).toEqual([ms(from), ms(end)]);
    expect(showTime(time.from, time.chars)).toBe(text.includes('T') ? '2026-04-30T08:30:00.000Z' : text);
  });

  test.each([
    ...['2026-13', '2026-00', '2026-02-29', '26-04', '2026-4', '30.04.2026', '04/30/2026', 'May 2026', '', ' 2026'],
    ...['2026-04-30T10:30:00', '2026-04-30 10:30:00Z', `2026${' '.repeat(100)}`],
  ])('%j is refused with the accepted forms', (text) => {
    expect(() => readTime(text, 'at')).toThrow(/at is not an existing time; use 2026-04-30T10:30:00Z/);
  });

  test('a date field may hold a time without a zone, which is UTC', () => {
    expect(parseTime('2026-04-30T10:30')?.from).toBe(ms('2026-04-30T10:30:00Z'));
  });
});
