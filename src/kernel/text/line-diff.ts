/** Longer texts are shown as replaced as a whole: comparing takes time and memory for every pair of lines. */
const pairsCount = 4_000_000;
const contextCount = 3;

interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

const marked = (mark: DiffLine['mark'], lines: readonly string[]): readonly DiffLine[] =>
  lines.map((text) => ({ mark, text }));

/** By the longest common subsequence. */
function compareMiddle(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  if (before.length * after.length > pairsCount) return [...marked('-', before), ...marked('+', after)];
  const width = after.length + 1;
  /** The length of the longest common subsequence of the rests that begin there. */
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        before[i] === after[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i]! });
      i += 1;
      j += 1;
    } else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) {
      lines.push({ mark: '-', text: before[i]! });
      i += 1;
    } else {
      lines.push({ mark: '+', text: after[j]! });
      j += 1;
    }
  }
  return [...lines, ...marked('-', before.slice(i)), ...marked('+', after.slice(j))];
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

function sameAtStart(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}

/** Changed lines with `-` and `+`, and three lines around them; `…` where lines are left out. Empty for equal texts. */
export function diffLines(before: string, after: string): string {
  if (before === after) return '';
  const [a, b] = [linesOf(before), linesOf(after)];
  const start = sameAtStart(a, b);
  const end = sameAtStart(a.slice(start).toReversed(), b.slice(start).toReversed());
  const lines = [
    ...marked(' ', a.slice(0, start)),
    ...compareMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...marked(' ', a.slice(a.length - end)),
  ];
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - contextCount), at + contextCount + 1).some(({ mark }) => mark !== ' ');
  const shown: string[] = [];
  for (const [at, { mark, text }] of lines.entries()) {
    if (isNear(at)) shown.push(`${mark}${text}`);
    else if (shown.at(-1) !== '…') shown.push('…');
  }
  return shown.join('\n');
}
