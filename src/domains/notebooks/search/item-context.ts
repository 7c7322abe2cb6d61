import { scanTokens } from '#kernel/text/tokens.ts';

/** The words of an author's name, in lower case. */
export const authorFacet = 'author';

const authorKeys = ['speaker', 'author', 'from', 'sender', 'user', 'name', 'by', 'who', 'role'] as const;

/** Longer values are texts, not properties. */
const valueChars = 120;
const valuesCount = 32;
const authorWordsCount = 3;

const toMap = (metadata: string): Readonly<Record<string, unknown>> =>
  metadata === '{}' ? {} : (JSON.parse(metadata) as Readonly<Record<string, unknown>>);

const isoDate = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]|$)/;
/** Written out, because loading the locale data takes 10 ms of every start. */
const monthNames = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** A question writes a date in words: `7 May 2023` for 2023-05-07. */
function spellDate(value: string): string | undefined {
  const [, year, month, day] = isoDate.exec(value) ?? [];
  const name = monthNames[Number(month) - 1];
  return name === undefined ? undefined : `${Number(day)} ${name} ${year}`;
}

/** Titles are a field of their own. */
const otherKeys: ReadonlySet<string> = new Set(['title', 'description']);

/** The short properties of a pad or a cell as text: date, speaker, place. */
export function contextOf(metadata: string): string {
  const found: string[] = [];
  for (const [key, value] of Object.entries(toMap(metadata))) {
    if (typeof value !== 'string' || value.length > valueChars || otherKeys.has(key)) continue;
    const date = spellDate(value);
    found.push(date === undefined ? value : `${value} ${date}`);
    if (found.length === valuesCount) break;
  }
  return found.join('\n').toWellFormed();
}

/** The name at the beginning of `Maya Lopez: I moved last week`. */
function nameBefore(content: string): string | undefined {
  const colon = content.slice(0, valueChars).indexOf(': ');
  const name = content.slice(0, Math.max(0, colon));
  return colon < 1 || /[^\p{L}\p{M} .'’-]/u.test(name) || !/^\p{Lu}/u.test(name) ? undefined : name;
}

/** Who said or wrote a cell: by its metadata, or by a name before its text. */
export function authorWordsOf(metadata: string, content: string): readonly string[] {
  const map = toMap(metadata);
  const stated = authorKeys.map((key) => map[key]).find((value) => typeof value === 'string' && value.trim() !== '');
  const name = typeof stated === 'string' ? stated.slice(0, valueChars) : nameBefore(content);
  if (name === undefined) return [];
  const words: string[] = [];
  scanTokens(name.toWellFormed(), (word, _position, _start, _end, isWhole) => {
    if (!isWhole) words.push(word);
  });
  return words.length > authorWordsCount ? [] : [...new Set(words)];
}
