/** A time of a request: relative to the start of 2025 or to the clock, and cut to the precision of its text. */
export interface When {
  readonly from: 'past' | 'now';
  readonly ms: number;
  /** Characters of the ISO 8601 form: a year, a month, a day or a moment. */
  readonly chars: 4 | 7 | 10 | 24;
}

export const dayMs = 86_400_000;
const past = Date.UTC(2025, 0, 1);
/** Every history begins at the same time, so that it can be repeated. */
export const firstNow = Date.UTC(2026, 0, 1, 12);

export const iso = (ms: number): string => new Date(ms).toISOString();

export const textOf = ({ from, ms, chars }: When, now: number): string =>
  iso((from === 'past' ? past : now) + ms).slice(0, chars);

/** A date begins at midnight in UTC. */
export const startOf = (text: string): number => Date.parse(text);

/** The last millisecond of the period that the text names. */
export function lastOf(text: string): number {
  if (text.length > 10) return startOf(text);
  const date = new Date(startOf(text));
  if (text.length === 4) return date.setUTCFullYear(date.getUTCFullYear() + 1) - 1;
  if (text.length === 7) return date.setUTCMonth(date.getUTCMonth() + 1) - 1;
  return startOf(text) + dayMs - 1;
}
