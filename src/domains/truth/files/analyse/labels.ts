import { findDates } from './dates.ts';

/** `INV-2026/0042`: the first of two words that contains a digit and is not a date. */
export function toIdentifier(value: string): string | undefined {
  const words = value.split(/[\s\t]+/).slice(0, 2);
  for (const word of words) {
    const bare = word.replace(/^[#(]+/, '').replace(/[.,;:)]{1,5}$/, '');
    if (/^[A-Za-z0-9][A-Za-z0-9/_.-]{0,39}$/.test(bare) && /\d/.test(bare) && findDates(bare, 'day-first').length === 0)
      return bare;
  }
  return undefined;
}

/** `DE123456789`, `12-3456789`, `ATU12345678`, `GB 123 4567 89`: at least six digits, blanks removed. */
export function toTaxId(value: string): string | undefined {
  const bare = /^[A-Z0-9][A-Z0-9 ./-]{4,24}/
    .exec(value)?.[0]
    .replaceAll(/[ .]/g, '')
    .replace(/[/-]{1,5}$/, '');
  if (bare === undefined) return undefined;
  const digitsCount = bare.replaceAll(/\D/g, '').length;
  return digitsCount >= 6 && digitsCount <= 15 ? bare : undefined;
}

/** `DE89 3704 0044 0532 0130 00`, `****1234`, `12345678`: as written, blanks removed. */
export function toAccount(value: string): string | undefined {
  const bare = /^[A-Z]{0,2}[0-9*xX][0-9*xX -]{3,40}/.exec(value)?.[0].replaceAll(/[ -]/g, '');
  return bare !== undefined && bare.replaceAll(/\D/g, '').length >= 4 ? bare : undefined;
}

const isWordChar = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** Index of the words as whole words, or -1. Both arguments are in lower case. */
export function indexOfWords(text: string, words: string, from = 0): number {
  for (let at = text.indexOf(words, from); at !== -1; at = text.indexOf(words, at + 1)) {
    if (!isWordChar(text[at - 1]) && (!isWordChar(words.at(-1)) || !isWordChar(text[at + words.length]))) return at;
  }
  return -1;
}

export const hasWords = (text: string, words: string): boolean => indexOfWords(text, words) !== -1;

/** Keeps every index: a letter whose lower case is longer stays unchanged. */
export const lowerCase = (text: string): string => {
  const lower = text.toLowerCase();
  return lower.length === text.length
    ? lower
    : Array.from(text, (char) => (char.toLowerCase().length === char.length ? char.toLowerCase() : char)).join('');
};

/** Parses a value; undefined if it does not look like one. */
export type ParseValue<T> = (value: string) => T | undefined;

/** A short word occurs in many places; it is a label only at the start of a column. */
const anywhereChars = 12;
const matchesAnywhere = (label: string): boolean => label.length >= anywhereChars || /[ #-]/.test(label);

function labelEnd(cell: string, label: string): number {
  const lower = lowerCase(cell);
  const at = matchesAnywhere(label) ? indexOfWords(lower, label) : indexOfWords(lower, label) === 0 ? 0 : -1;
  return at === -1 ? -1 : at + label.length;
}

const withoutMarks = (text: string): string => text.replace(/^[ :#.=\u2013\u2014-]+/, '').trim();

/**
 * Possible positions of a value: after its label, in the next column, below it, or on the next line if the label is
 * alone.
 */
export function* candidates(
  lines: readonly string[],
  lineAt: number,
  label: string,
  isBelowToo = true,
): Generator<string> {
  const cells = lines[lineAt]!.split('\t');
  const below = isBelowToo ? (lines[lineAt + 1]?.split('\t') ?? []) : [];
  for (const [i, cell] of cells.entries()) {
    const end = labelEnd(cell, label);
    if (end === -1) continue;
    yield withoutMarks(cell.slice(end));
    if (cells[i + 1] !== undefined) yield withoutMarks(cells[i + 1]!);
    if (below.length === cells.length) yield below[i]!;
    else if (cells.length === 1 && below[0] !== undefined) yield below[0];
  }
}

export interface LabelledValue<T> {
  readonly value: T;
  readonly lineAt: number;
}

/** The first value after any of the labels; list specific labels first. */
export function findLabelledAt<T>(
  lines: readonly string[],
  labels: readonly string[],
  accept: ParseValue<T>,
): LabelledValue<T> | undefined {
  const lowers = lines.map(lowerCase);
  for (const label of labels) {
    for (const [lineAt, lower] of lowers.entries()) {
      if (!lower.includes(label)) continue;
      for (const candidate of candidates(lines, lineAt, label)) {
        const value = candidate === '' ? undefined : accept(candidate);
        if (value !== undefined) return { value, lineAt };
      }
    }
  }
  return undefined;
}

export const findLabelled = <T>(
  lines: readonly string[],
  labels: readonly string[],
  accept: ParseValue<T>,
): T | undefined => findLabelledAt(lines, labels, accept)?.value;
