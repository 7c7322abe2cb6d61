import { type DateOrder, dateOrderOf, findDates } from './dates.ts';
import type { Accept } from './labels.ts';
import { toLines } from './lines.ts';

/** A text as the rules see it. */
export interface Paper {
  readonly text: string;
  readonly lines: readonly string[];
  readonly order: DateOrder;
  readonly toDate: Accept<string>;
}

export function toPaper(text: string): Paper {
  const lines = toLines(text);
  const order = dateOrderOf(lines.join('\n'));
  return { text, lines, order, toDate: (value) => findDates(value, order)[0] };
}

/** The first date of the paper, wherever it stands. */
export function firstDate({ lines, order }: Paper): string | undefined {
  for (const line of lines) {
    const [date] = findDates(line, order);
    if (date !== undefined) return date;
  }
  return undefined;
}
