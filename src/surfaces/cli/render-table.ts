import { toSafeLine } from './safe-text.ts';

export type Row = Readonly<Record<string, unknown>>;

const gap = 2;
const narrowestColumns = 6;
/** Of an object inside a cell only the beginning is shown; `--json` shows all. */
const nestedColumns = 40;

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

const toCell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return toSafeLine(value.join(', '));
  if (typeof value === 'string') return toSafeLine(value);
  return cut(toSafeLine(JSON.stringify(value)), nestedColumns);
};

/** Takes from the widest until all fit; undefined when even narrow columns do not. */
function fitWidths(natural: readonly number[], columns: number): readonly number[] | undefined {
  const available = columns - gap * (natural.length - 1);
  const narrowest = natural.map((width) => Math.min(width, narrowestColumns));
  if (narrowest.reduce((sum, width) => sum + width, 0) > available) return undefined;
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const next = Math.max(narrowestColumns, ...widths.filter((width) => width < widths[widest]!));
    const taken = Math.min(excess, Math.max(1, widths[widest]! - next));
    widths[widest]! -= taken;
    excess -= taken;
  }
  return widths;
}

/** Rows under their headings, cut to the width of the terminal; undefined when the columns do not fit. */
export function renderTable(rows: readonly Row[], columns: number): string | undefined {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = rows.map((row) => headings.map((heading) => toCell(row[heading])));
  const natural = headings.map((heading, at) => Math.max(heading.length, ...cells.map((line) => line[at]!.length)));
  const widths = fitWidths(natural, columns);
  if (widths === undefined) return undefined;
  const toLine = (line: readonly string[]) =>
    line
      .map((cell, at) => cut(cell, widths[at]!).padEnd(widths[at]!))
      .join(' '.repeat(gap))
      .trimEnd();
  return [toLine(headings), ...cells.map(toLine)].map((line) => `${line}\n`).join('');
}
