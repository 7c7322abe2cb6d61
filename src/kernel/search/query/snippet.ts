import type { Highlight, Mark } from './highlight.ts';

type Snippet = Omit<Highlight, 'field'>;

const ellipsis = '…';

/** Cuts the stretch that answers the most units (then the most marks, then the earliest) out of a text. Marks are in order. */
export function cutSnippet(text: string, marks: readonly Mark[], chars: number): Snippet {
  const [from, to] = bestWindow(marks, chars);
  const first = marks[from]!;
  let last = first.end;
  for (let i = from; i < to; i += 1) last = Math.max(last, marks[i]!.end);
  const reach = Math.min(first.start + chars, last);
  const slack = chars - (reach - first.start);
  const start = wordStart(text, Math.max(0, first.start - Math.floor(slack / 3)), first.start);
  const end = wordEnd(text, Math.min(text.length, start + chars), reach);
  const head = start > 0 ? ellipsis : '';
  const tail = end < text.length ? ellipsis : '';
  const ranges = mergeRanges(
    marks.filter((mark) => mark.start >= start && mark.start < end),
    end,
  ).map(([a, b]) => [a - start + head.length, b - start + head.length] as const);
  return { snippet: head + text.slice(start, end) + tail, ranges };
}

/** The marks [from, to) that stand within so many characters and answer the most units, then are the most, then the first. */
export function bestWindow(marks: readonly Mark[], chars: number): readonly [from: number, to: number] {
  let best: readonly [number, number] = [0, 1];
  let bestWorth = 0;
  /** How often each unit stands in the window, and how many do. */
  const counts: number[] = [];
  let unitsCount = 0;
  for (let from = 0, to = 0; from < marks.length; from += 1) {
    // At least the first one, however long it is.
    for (; to < marks.length && (to === from || marks[to]!.end - marks[from]!.start <= chars); to += 1) {
      const { unit } = marks[to]!;
      counts[unit] = (counts[unit] ?? 0) + 1;
      if (counts[unit] === 1) unitsCount += 1;
    }
    const worth = unitsCount * marks.length + to - from;
    if (worth > bestWorth) {
      bestWorth = worth;
      best = [from, to];
    }
    const { unit } = marks[from]!;
    counts[unit]! -= 1;
    if (counts[unit] === 0) unitsCount -= 1;
  }
  return best;
}

/** A blank between here and the mark, so that the snippet begins with a whole word; else here, but never inside a character. */
function wordStart(text: string, at: number, mark: number): number {
  if (at === 0) return 0;
  for (let i = at; i <= mark; i += 1) if (isBlank(text, i - 1)) return i;
  return isLowSurrogate(text, at) ? at + 1 : at;
}

function wordEnd(text: string, at: number, mark: number): number {
  if (at === text.length) return at;
  for (let i = at; i >= mark; i -= 1) if (isBlank(text, i)) return i;
  return isLowSurrogate(text, at) ? at - 1 : at;
}

const isBlank = (text: string, at: number): boolean => /\s/.test(text.charAt(at));
const isLowSurrogate = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

/** A compound and its parts are one range. */
function mergeRanges(marks: readonly Mark[], end: number): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const mark of marks) {
    const last = ranges.at(-1);
    const markEnd = Math.min(mark.end, end);
    if (last !== undefined && mark.start < last[1]) last[1] = Math.max(last[1], markEnd);
    else ranges.push([mark.start, markEnd]);
  }
  return ranges;
}
