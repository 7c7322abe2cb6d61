const monthNames: readonly (readonly string[])[] = [
  ['january', 'jan', 'januar', 'janner', 'janvier', 'janv', 'enero', 'ene'],
  ['february', 'feb', 'februar', 'fevrier', 'fevr', 'febrero'],
  ['march', 'mar', 'marz', 'maerz', 'mars', 'marzo'],
  ['april', 'apr', 'avril', 'avr', 'abril', 'abr'],
  ['may', 'mai', 'mayo'],
  ['june', 'jun', 'juni', 'juin', 'junio'],
  ['july', 'jul', 'juli', 'juillet', 'juil', 'julio'],
  ['august', 'aug', 'aout', 'agosto', 'ago'],
  ['september', 'sep', 'sept', 'septembre', 'septiembre'],
  ['october', 'oct', 'oktober', 'okt', 'octobre', 'octubre'],
  ['november', 'nov', 'novembre', 'noviembre'],
  ['december', 'dec', 'dezember', 'dez', 'decembre', 'diciembre', 'dic'],
];

const monthNumbers: ReadonlyMap<string, number> = new Map(
  monthNames.flatMap((names, i) => names.map((name) => [name, i + 1] as const)),
);

/** Accents are ignored: `février` and `fevrier`. */
const monthOf = (word: string): number | undefined =>
  monthNumbers.get(
    word
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase(),
  );

/** A date as it is written. Both members are present, and differ, if day and month could be swapped. */
export interface DateText {
  readonly dayFirst?: string;
  readonly monthFirst?: string;
  /** The century is not written; we take this one, as on receipts. */
  readonly isShortYear?: true;
}

/** Undefined if the day does not exist, or is too far away to be meant. */
function toIsoDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = year >= 1900 && year <= 2199 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? date.toISOString().slice(0, 10) : undefined;
}

const certain = (date: string | undefined): DateText | undefined =>
  date === undefined ? undefined : { dayFirst: date, monthFirst: date };

const toMonth = (year: string, month: number): DateText | undefined =>
  certain(toIsoDate(Number(year), month, 1)?.slice(0, 7));

interface Token {
  readonly kind: 'number' | 'word' | 'mark';
  readonly text: string;
}

/** A longer text is not a date. */
const dateChars = 40;

/** Words that carry no meaning between the parts of a date. */
const fillers: ReadonlySet<string> = new Set(['of', 'de', 'del']);
/** After the number of the day: `1st`, `1er`. */
const ordinals: ReadonlySet<string> = new Set(['st', 'nd', 'rd', 'th', 'er']);

const tokenPattern = /(?<number>[0-9]+)|(?<word>\p{L}+)|(?<mark>[-/.,])|\s+/guy;

function tokenise(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  let end = 0;
  let afterNumber = -1;
  for (const match of text.matchAll(tokenPattern)) {
    end = match.index + match[0].length;
    const { number, word, mark } = match.groups!;
    if (number !== undefined) {
      tokens.push({ kind: 'number', text: number });
      afterNumber = end;
    } else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark });
    else if (word !== undefined) {
      const lower = word.toLowerCase();
      const isOrdinal = afterNumber === match.index && ordinals.has(lower);
      if (!isOrdinal && !fillers.has(lower)) tokens.push({ kind: 'word', text: word });
    }
  }
  return end === text.length ? tokens : undefined;
}

const isYear = (text: string): boolean => text.length === 4;
const isPart = (text: string): boolean => text.length <= 2;

/** `15 January 2025`, `January 15, 2025`, `2025 January 15`, `May 2026`. */
function readNamed(tokens: readonly Token[]): DateText | undefined {
  const parts = tokens.filter(({ kind }) => kind !== 'mark');
  const words = parts.filter(({ kind }) => kind === 'word');
  const month = words.length === 1 ? monthOf(words[0]!.text) : undefined;
  if (month === undefined || tokens[0]!.kind === 'mark') return undefined;
  const [first, second, ...more] = parts.filter(({ kind }) => kind === 'number').map(({ text }) => text);
  if (first === undefined || more.length > 0) return undefined;
  if (second === undefined) return isYear(first) ? toMonth(first, month) : undefined;
  if (isPart(first) && isYear(second) && parts.at(-1)!.kind === 'number')
    return certain(toIsoDate(Number(second), month, Number(first)));
  const isYearFirst = isYear(first) && isPart(second) && parts[1]!.kind === 'word';
  return isYearFirst ? certain(toIsoDate(Number(first), month, Number(second))) : undefined;
}

function readYearLast(a: string, b: string, year: string, mark: string): DateText | undefined {
  const full = isPart(year) ? 2000 + Number(year) : Number(year);
  const dayFirst = toIsoDate(full, Number(b), Number(a));
  // Dates with dots have the day first, if that day exists.
  const monthFirst = mark === '.' && dayFirst !== undefined ? dayFirst : toIsoDate(full, Number(a), Number(b));
  if (dayFirst === undefined && monthFirst === undefined) return undefined;
  return {
    ...(dayFirst === undefined ? {} : { dayFirst }),
    ...(monthFirst === undefined ? {} : { monthFirst }),
    ...(isPart(year) ? { isShortYear: true } : {}),
  };
}

function readNumeric(tokens: readonly Token[]): DateText | undefined {
  if (!tokens.every(({ kind }, i) => (kind === 'mark') === (i % 2 === 1))) return undefined;
  const [a, mark, b, otherMark, c] = tokens.map(({ text }) => text);
  if (a === undefined || (otherMark ?? mark) !== mark || mark === ',' || tokens.length > 5) return undefined;
  if (b === undefined || mark === undefined)
    return a.length === 8
      ? certain(toIsoDate(Number(a.slice(0, 4)), Number(a.slice(4, 6)), Number(a.slice(6))))
      : undefined;
  if (c === undefined) {
    if (mark === '.' || otherMark !== undefined) return undefined;
    if (isYear(a)) return isPart(b) ? toMonth(a, Number(b)) : undefined;
    return isPart(a) && isYear(b) ? toMonth(b, Number(a)) : undefined;
  }
  if (!isPart(b)) return undefined;
  if (isYear(a)) return isPart(c) ? certain(toIsoDate(Number(a), Number(b), Number(c))) : undefined;
  return isPart(a) && (isYear(c) || c.length === 2) ? readYearLast(a, b, c, mark) : undefined;
}

/**
 * A whole text that is one date: with the name of the month (English, German, French, Spanish), year first, or year last.
 * Undefined if it is not a date, or one that does not exist.
 */
export function readDateText(text: string): DateText | undefined {
  const tokens = text.length <= dateChars ? tokenise(text.trim()) : undefined;
  if (tokens === undefined || tokens.length === 0) return undefined;
  return tokens.some(({ kind }) => kind === 'word') ? readNamed(tokens) : readNumeric(tokens);
}
