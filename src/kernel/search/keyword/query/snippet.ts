import type { Highlight } from './highlight.ts';
import type { Marks } from './marks.ts';

type Snippet = Omit<Highlight, 'field'>;

const ellipsis = '…';

/**
 * Cuts out the part of a text with the most terms, then the most marks, then the first. The marks span at most
 * `markedChars` of it.
 */
export function cutSnippet(text: string, marks: Marks, chars: number, markedChars: number = chars): Snippet {
  const [from, to] = marks.bestWindow(markedChars);
  const first = marks.starts[from]!;
  const reach = Math.min(first + chars, marks.endOf(from, to));
  const slack = chars - (reach - first);
  const start = wordStart(text, Math.max(0, first - Math.floor(slack / 3)), first);
  const end = wordEnd(text, Math.min(text.length, start + chars), reach);
  const head = start > 0 ? ellipsis : '';
  const tail = end < text.length ? ellipsis : '';
  const ranges = rangesOf(marks, start, end).map(
    ([a, b]) => [a - start + head.length, b - start + head.length] as const,
  );
  return { snippet: head + text.slice(start, end) + tail, ranges };
}

/**
 * A blank between `at` and the mark, so that the snippet begins with a whole word; otherwise `at`, but never inside a
 * character.
 */
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

/** The marks that begin in the part. A compound and its parts form one range. */
function rangesOf({ starts, ends, count }: Marks, from: number, to: number): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (let i = 0; i < count; i += 1) {
    const start = starts[i]!;
    if (start < from || start >= to) continue;
    const last = ranges.at(-1);
    const end = Math.min(ends[i]!, to);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}
