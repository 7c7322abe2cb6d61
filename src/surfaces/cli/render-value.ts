import { type Row, renderTable } from './render-table.ts';
import { toSafeLine, toSafeText } from './safe-text.ts';

const indentOf = (depth: number): string => '  '.repeat(depth);

const isObject = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value);

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

const indentLines = (text: string, depth: number): string => text.replaceAll(/^(?=.)/gm, indentOf(depth));

function renderList(items: readonly unknown[], depth: number, columns: number): string {
  if (items.every(isScalar)) return items.map((item) => `${indentOf(depth)}${toSafeLine(String(item))}\n`).join('');
  if (items.every(isObject)) {
    const table = renderTable(items, columns - indentOf(depth).length);
    if (table !== undefined) return indentLines(table, depth);
  }
  return items.map((item) => renderAny(item, depth, columns)).join('\n');
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

/** Any answer for a person to read: names and values below each other, lists of objects as tables. */
export function renderValue(value: unknown, columns: number): string {
  if (Array.isArray(value) && value.length === 0) return '(none)\n';
  return renderAny(value, 0, columns);
}
