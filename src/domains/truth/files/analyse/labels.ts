import { indexOfWords, lowerCase } from './words.ts';

/** What a value has to look like: answers it in its final form, or undefined. */
export type Accept<T> = (value: string) => T | undefined;

/** A short word stands in many places; it is a label only where a column begins. */
const anywhereChars = 12;
const standsAnywhere = (label: string): boolean => label.length >= anywhereChars || /[ #-]/.test(label);

function labelEnd(cell: string, label: string): number {
  const lower = lowerCase(cell);
  const at = standsAnywhere(label) ? indexOfWords(lower, label) : indexOfWords(lower, label) === 0 ? 0 : -1;
  return at === -1 ? -1 : at + label.length;
}

const withoutMarks = (text: string): string => text.replace(/^[ :#.=\u2013\u2014-]+/, '').trim();

/** Where a value may stand: behind its label, in the next column, below it, or on the next line when the label is alone. */
function* candidates(lines: readonly string[], lineAt: number, label: string): Generator<string> {
  const cells = lines[lineAt]!.split('\t');
  const below = lines[lineAt + 1]?.split('\t') ?? [];
  for (const [i, cell] of cells.entries()) {
    const end = labelEnd(cell, label);
    if (end === -1) continue;
    yield withoutMarks(cell.slice(end));
    if (cells[i + 1] !== undefined) yield withoutMarks(cells[i + 1]!);
    if (below.length === cells.length) yield below[i]!;
    else if (cells.length === 1 && below[0] !== undefined) yield below[0];
  }
}

export interface Labelled<T> {
  readonly value: T;
  readonly lineAt: number;
}

/** The first value that a label leads to; labels that say more come first in the list. */
export function findLabelledAt<T>(
  lines: readonly string[],
  labels: readonly string[],
  accept: Accept<T>,
): Labelled<T> | undefined {
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
  accept: Accept<T>,
): T | undefined => findLabelledAt(lines, labels, accept)?.value;
