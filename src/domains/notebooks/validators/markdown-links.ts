export interface LinkFinding {
  /** Offset in the prose. */
  readonly at: number;
  readonly kind: 'empty' | 'reversed' | 'undefined';
  readonly shown: string;
}

const isSpace = (char: string | undefined): boolean => char === ' ' || char === '\t' || char === '\n';
const isWordChar = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_]/u.test(char);

/** Labels are compared without regard to case and whitespace. */
export const toLabel = (text: string): string => text.trim().replace(/\s+/g, ' ').toLowerCase();

/** Replaces what cannot hold links by spaces: code spans, HTML, escaped characters. */
function blankOut(text: string): string {
  const parts: string[] = [];
  const runs: Runs = new Map();
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const ofLength = runs.get(run.length);
    if (ofLength === undefined) runs.set(run.length, { places: [index], next: 0 });
    else ofLength.places.push(index);
  }
  const blank = (from: number, to: number) => text.slice(from, to).replace(/[^\n]/g, ' ');
  let at = 0;
  while (at < text.length) {
    const next = nextSpecial(text, at);
    parts.push(text.slice(at, next));
    if (next >= text.length) break;
    at = next;
    const end = endOfSpecial(text, at, runs);
    parts.push(end === at ? text[at]! : blank(at, end));
    at = Math.max(end, at + 1);
  }
  return parts.join('');
}

function nextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\' || char === '`' || char === '<') return at;
  }
  return text.length;
}

/** Runs of backticks by length. `next` is the first one not yet passed, so the text is scanned only once. */
type Runs = Map<number, { readonly places: number[]; next: number }>;

function endOfSpecial(text: string, at: number, runs: Runs): number {
  if (text[at] === '\\') return Math.min(at + 2, text.length);
  if (text[at] === '<') {
    // After `(` it is the target of a link.
    const isTarget = text[at - 1] === '(';
    const end = /[a-z/!]/i.test(text[at + 1] ?? '') && !isTarget ? text.slice(at, at + tagChars).indexOf('>') : -1;
    return end === -1 ? at : at + end + 1;
  }
  let after = at;
  while (text[after] === '`') after += 1;
  const ofLength = runs.get(after - at);
  // The rest of a run whose first backtick is escaped; no other run has this length.
  if (ofLength === undefined) return after;
  while (ofLength.places[ofLength.next]! <= at) ofLength.next += 1;
  const closing = ofLength.places[ofLength.next];
  return closing === undefined ? after : closing + (after - at);
}

/** A longer `<…>` is treated as text, to bound the search. */
const tagChars = 2_000;

export function findLinks(prose: string, defined: ReadonlySet<string>): readonly LinkFinding[] {
  const text = blankOut(prose);
  const found: LinkFinding[] = [];
  const open: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '[') open.push(at);
    else if (char === '(') {
      const reversed = findReversed(text, at);
      if (reversed !== undefined) found.push({ at, kind: 'reversed', shown: reversed });
    } else if (char === ']') {
      const start = open.pop();
      if (start === undefined) continue;
      if (text[at + 1] === '(') {
        const end = endOfEmptyTarget(text, at + 2);
        if (end !== undefined) found.push({ at: start, kind: 'empty', shown: show(prose.slice(start, end + 1)) });
      } else if (text[at + 1] === '[') {
        const reference = readReference(text, prose, start, at);
        if (reference === undefined) continue;
        if (!defined.has(toLabel(reference.label)))
          found.push({ at: start, kind: 'undefined', shown: show(reference.label) });
        at = reference.end;
      }
    }
  }
  return found;
}

const show = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text).replaceAll('\n', ' ');

/** The closing bracket of `()`, `(<>)` and `(#)`. */
function endOfEmptyTarget(text: string, from: number): number | undefined {
  let at = from;
  while (isSpace(text[at])) at += 1;
  if (text.startsWith('<>', at)) at += 2;
  else if (text[at] === '#') at += 1;
  while (isSpace(text[at])) at += 1;
  return text[at] === ')' ? at : undefined;
}

/** `[text][label]` and `[label][]`, but not `table[i][j]` or a footnote. */
function readReference(text: string, prose: string, start: number, end: number) {
  const before = text[start - 1];
  if (isWordChar(before) || before === ']' || before === ')') return undefined;
  const close = indexWithin(text, ']', end + 2, labelChars);
  if (close === -1) return undefined;
  const own = prose.slice(end + 2, close);
  const label = own === '' ? prose.slice(start + 1, end) : own;
  // Brackets inside a label must be escaped.
  if (/^\^|(?<!\\)[[\]]/.test(label) || label.trim() === '') return undefined;
  return { label, end: close };
}

/** CommonMark 0.31, 4.7. */
const labelChars = 999;

function indexWithin(text: string, char: string, from: number, max: number): number {
  const at = text.slice(from, from + max).indexOf(char);
  return at === -1 ? -1 : from + at;
}

/** `(text)[address]`. The second part must look like an address, because `f(x)[0]` is not a link. */
function findReversed(text: string, start: number): string | undefined {
  const before = text[start - 1];
  if (before === ']' || isWordChar(before)) return undefined;
  const middle = indexWithin(text, ')', start + 1, labelChars);
  if (middle === -1 || text[middle + 1] !== '[') return undefined;
  const end = indexWithin(text, ']', middle + 2, labelChars);
  if (end === -1 || text[end + 1] === '(' || text[end + 1] === '[') return undefined;
  if (!/^(?:[a-z]+:\/\/|mailto:|www\.|\.{0,2}\/|#)/.test(text.slice(middle + 2, end))) return undefined;
  const whole = text.slice(start, end + 1);
  return whole.includes('\n') || text.slice(start + 1, middle).includes('(') ? undefined : show(whole);
}
