import { isObject } from '#kernel/json/is-object.ts';

const toEscape = (char: string): string => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`;

/**
 * Stored text is untrusted: on a terminal it must not move the cursor, change colours or reverse the reading direction.
 */
export const toSafeText = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (char) =>
    char === '\n' || char === '\t' ? char : toEscape(char),
  );

export const toSafeLine = (text: string): string => toSafeText(text).replace(/[\n\t]+/g, ' ');

/** JSON.stringify does not escape these control characters; escaping them gives equivalent JSON. */
export const toSafeJson = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, indent).replace(/[\u007f-\u009f\p{Bidi_Control}\u2028\u2029]/gu, toEscape);

export type Row = Readonly<Record<string, unknown>>;

const gap = 2;
const narrowestColumns = 6;
/** Objects in a cell are truncated; `--json` shows everything. */
const nestedColumns = 40;

const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;

const toCell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return toSafeLine(value.join(', '));
  if (typeof value === 'string') return toSafeLine(value);
  return cut(toSafeLine(JSON.stringify(value)), nestedColumns);
};

/** Shrinks the widest columns until all fit; undefined if even narrow columns do not fit. */
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

/** A table truncated to the terminal width; undefined if the columns do not fit. */
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

const indentOf = (depth: number): string => '  '.repeat(depth);

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const indentLines = (text: string, depth: number): string => text.replaceAll(/^(?=.)/gm, indentOf(depth));

const hasLongText = (item: Row): boolean =>
  Object.values(item).some((value) => typeof value === 'string' && value.includes('\n'));

function renderList(items: readonly unknown[], depth: number, columns: number): string {
  if (items.every(isScalar)) return items.map((item) => `${indentOf(depth)}${toSafeLine(String(item))}\n`).join('');
  // A table would put all lines of a text into one and cut it, so such items are shown one below the other.
  const longCount = items.findLastIndex((item) => isObject(item) && hasLongText(item)) + 1;
  const rest = items.slice(longCount);
  const blocks = items.slice(0, longCount).map((item) => renderAny(item, depth, columns));
  if (rest.length > 0) blocks.push(renderRows(rest, depth, columns));
  return blocks.join('\n');
}

function renderRows(items: readonly unknown[], depth: number, columns: number): string {
  const table = items.every(isObject) ? renderTable(items, columns - indentOf(depth).length) : undefined;
  return table === undefined
    ? items.map((item) => renderAny(item, depth, columns)).join('\n')
    : indentLines(table, depth);
}

function renderMember(key: string, width: number, value: unknown, depth: number, columns: number): string {
  const head = `${indentOf(depth)}${toSafeLine(key)}`;
  if (isScalar(value)) {
    const text = toSafeText(String(value));
    if (!text.includes('\n')) return `${head.padEnd(width + indentOf(depth).length)}  ${text}\n`;
    return `${head}\n${indentLines(text.trimEnd(), depth + 1)}\n`;
  }
  if (Array.isArray(value) && value.length === 0) return `${head.padEnd(width + indentOf(depth).length)}  (none)\n`;
  const count = Array.isArray(value) ? ` (${value.length})` : '';
  return `${head}${count}\n${renderAny(value, depth + 1, columns)}`;
}

function renderAny(value: unknown, depth: number, columns: number): string {
  if (Array.isArray(value)) return renderList(value, depth, columns);
  if (!isObject(value)) return `${indentOf(depth)}${toSafeText(String(value))}\n`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const width = Math.max(0, ...members.filter(([, member]) => isScalar(member)).map(([key]) => key.length));
  return members.map(([key, member]) => renderMember(key, width, member, depth, columns)).join('');
}

/** Any answer in readable form: names and values on lines, lists of objects as tables. */
export function renderValue(value: unknown, columns: number): string {
  if (Array.isArray(value) && value.length === 0) return '(none)\n';
  return renderAny(value, 0, columns);
}
