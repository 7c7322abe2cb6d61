/** A number as it is written, without its sign. */
export interface NumberText {
  readonly whole: string;
  /** Empty if none are written. */
  readonly decimals: string;
  /**
   * The mark of `1,500` or `1.500`: it may separate thousands or decimals. `whole` and `decimals` are then what is before
   * and after it.
   */
  readonly unclearMark?: ',' | '.';
}

/** A longer text is not a number that a double could represent. */
const numberChars = 400;

const blanks = /[ \u00a0\u2007\u2009\u202f]/;
const apostrophes = /['’]/;

type Mark = ',' | '.' | ' ' | "'";

function toMark(char: string): Mark | undefined {
  if (char === ',' || char === '.') return char;
  if (blanks.test(char)) return ' ';
  return apostrophes.test(char) ? "'" : undefined;
}

const isDigits = (text: string): boolean => /^[0-9]+$/.test(text);

/** Without a leading zero, which belongs to codes and not to numbers. */
const isWhole = (digits: string): boolean => digits === '0' || (isDigits(digits) && !digits.startsWith('0'));

/** `1 234 567`; with commas also the Indian `12,34,567`. */
function isGrouped(groups: readonly string[], mark: Mark): boolean {
  const [first = '', ...rest] = groups;
  const last = rest.at(-1);
  if (last?.length !== 3 || first.length > 3 || !isWhole(first) || first === '0') return false;
  const between = rest.slice(0, -1);
  if (between.every(({ length }) => length === 3)) return true;
  return mark === ',' && first.length <= 2 && between.every(({ length }) => length === 2);
}

/** Digits, and the mark before each group but the first. */
function scan(text: string): { readonly groups: readonly string[]; readonly marks: readonly Mark[] } | undefined {
  const groups = [''];
  const marks: Mark[] = [];
  for (const char of text) {
    if (isDigits(char)) {
      groups[groups.length - 1] += char;
      continue;
    }
    const mark = toMark(char);
    if (mark === undefined) return undefined;
    marks.push(mark);
    groups.push('');
  }
  return groups.every((group) => group !== '') ? { groups, marks } : undefined;
}

const whole = (groups: readonly string[]): NumberText => ({ whole: groups.join(''), decimals: '' });

/** One kind of mark: it separates thousands, or decimals if it occurs once. */
function readSingleMark(groups: readonly string[], mark: Mark): NumberText | undefined {
  const grouped = isGrouped(groups, mark);
  if (groups.length > 2 || mark === ' ' || mark === "'") return grouped ? whole(groups) : undefined;
  const [before, after] = groups as [string, string];
  if (!isWhole(before)) return undefined;
  return { whole: before, decimals: after, ...(grouped ? { unclearMark: mark } : {}) };
}

/** `1.234,56`, `1,234.56`, `1 234,56`, `1'234.50`; undefined if it is not one number, such as `12 34` or `1.2.3`. */
export function readNumberText(text: string): NumberText | undefined {
  const scanned = text.length <= numberChars ? scan(text) : undefined;
  if (scanned === undefined) return undefined;
  const { groups, marks } = scanned;
  const last = marks.at(-1);
  if (last === undefined) return isWhole(text) ? whole(groups) : undefined;
  const kinds = new Set(marks);
  if (kinds.size === 1) return readSingleMark(groups, last);
  // With two kinds of marks, the last one separates decimals and occurs once.
  const isDecimal = (last === ',' || last === '.') && marks.indexOf(last) === marks.length - 1;
  const before = groups.slice(0, -1);
  if (kinds.size > 2 || !isDecimal || !isGrouped(before, marks[0]!)) return undefined;
  return { whole: before.join(''), decimals: groups.at(-1)! };
}

/** Undefined for a number that a double would round, and for a negative zero. */
export function toExactNumber({ whole: digits, decimals }: NumberText, isNegative: boolean): number | undefined {
  const sign = isNegative ? '-' : '';
  let kept = decimals.length;
  while (kept > 0 && decimals[kept - 1] === '0') kept -= 1;
  const shortest = `${sign}${digits}${kept === 0 ? '' : `.${decimals.slice(0, kept)}`}`;
  const number = Number(shortest);
  return String(number) === shortest ? number : undefined;
}
