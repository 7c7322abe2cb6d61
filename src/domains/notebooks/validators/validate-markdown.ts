import { type Block, readBlocks } from './markdown-blocks.ts';
import { findLinks, type LinkFinding, toLabel } from './markdown-links.ts';
import type { ErrorEntry, SyntaxReport, WarningEntry } from './syntax-report.ts';

const isDelimiter = (cell: string): boolean => /^:?-+:?$/.test(cell);

/** Splits at the pipes that are not escaped. */
function toCells(row: string): readonly string[] {
  const cells: string[] = [];
  let start = 0;
  for (let at = 0; at < row.length; at += 1) {
    if (row[at] === '\\') at += 1;
    else if (row[at] === '|') {
      cells.push(row.slice(start, at).trim());
      start = at + 1;
    }
  }
  cells.push(row.slice(start).trim());
  if (cells[0] === '') cells.shift();
  if (cells.length > 1 && cells.at(-1) === '') cells.pop();
  return cells;
}

/** The number of columns, if these are the first two lines of a table. */
function columnsOf(header: string, delimiters: string): number | undefined {
  if (!delimiters.includes('|') || !delimiters.includes('-')) return undefined;
  const cells = toCells(delimiters);
  return cells.every(isDelimiter) && toCells(header).length === cells.length ? cells.length : undefined;
}

/** Rows with too few or too many cells. A table extends to the end of its paragraph; `line` counts from its start. */
function findRaggedRows(lines: readonly string[]) {
  const second = lines.findIndex((line, index) => index > 0 && columnsOf(lines[index - 1]!, line) !== undefined);
  if (second === -1) return [];
  const columns = columnsOf(lines[second - 1]!, lines[second]!)!;
  return lines.slice(second + 1).flatMap((row, index) => {
    const cells = toCells(row).length;
    if (cells === columns) return [];
    return [{ line: second + 1 + index, column: row.trimEnd().length, cells, columns }];
  });
}

/** `[label]: address`. */
const definition = /^\s{0,3}\[((?:[^[\]\\]|\\.)+)\]:/;

const toWarning = (line: number, code: string, message: string): WarningEntry => ({
  message: `line ${line}: ${message}`,
  code,
});

/** Reports what breaks the rendered page, not style. The codes are those of markdownlint where it has the same rule. */
export function validateMarkdown(text: string): SyntaxReport {
  const { blocks, openFence } = readBlocks(text);
  const errors: ErrorEntry[] = [];
  const warnings: WarningEntry[] = [...findHeadings(blocks)];
  const paragraphs = blocks.filter(({ kind }) => kind === 'paragraph');
  const defined = new Set(
    paragraphs.flatMap(({ lines }) => lines.flatMap((line) => definition.exec(line)?.[1] ?? [])).map(toLabel),
  );
  for (const { line, lines } of blocks) {
    for (const row of findRaggedRows(lines)) errors.push(toRowError(line + row.line, row));
    const prose = lines.join('\n');
    if (!prose.includes('[')) continue;
    for (const finding of findLinks(prose, defined)) {
      const { offsetLine, column } = placeIn(lines, finding.at);
      if (finding.kind === 'undefined')
        warnings.push(toWarning(line + offsetLine, 'MD052', `nothing defines the reference [${finding.shown}]`));
      else errors.push({ ...toLinkError(finding), line: line + offsetLine, column });
    }
  }
  if (openFence !== undefined) {
    const { line, column, fence } = openFence;
    errors.push({
      message: `the code that begins with ${fence} is never closed`,
      code: 'UNCLOSED_FENCE',
      line,
      column,
    });
  }
  return { errors, warnings };
}

const toLinkError = ({ kind, shown }: LinkFinding): Pick<ErrorEntry, 'message' | 'code'> =>
  kind === 'empty'
    ? { message: `the link ${shown} has no target`, code: 'MD042' }
    : { message: `the brackets of the link ${shown} are the wrong way round: [text](address)`, code: 'MD011' };

const toRowError = (line: number, row: ReturnType<typeof findRaggedRows>[number]): ErrorEntry => ({
  message: `the table has ${row.columns} columns and this row ${row.cells} cells`,
  code: 'MD056',
  line,
  column: row.column,
});

function placeIn(lines: readonly string[], offset: number): { readonly offsetLine: number; readonly column: number } {
  let start = 0;
  for (const [offsetLine, line] of lines.entries()) {
    if (offset <= start + line.length) return { offsetLine, column: offset - start + 1 };
    start += line.length + 1;
  }
  throw new Error('bug: a finding outside its paragraph');
}

/** `#text` does not make a heading; and of two equal headings, links reach only the first. */
function findHeadings(blocks: readonly Block[]): readonly WarningEntry[] {
  const warnings: WarningEntry[] = [];
  const open: { readonly level: number; readonly names: Map<string, number> }[] = [{ level: 0, names: new Map() }];
  for (const { kind, line, lines } of blocks) {
    if (kind === 'paragraph') {
      lines.forEach((text, index) => {
        const found = /^ {0,3}(#{1,6})(?=[\p{L}*_`])/u.exec(text)?.[1];
        if (found !== undefined)
          warnings.push(toWarning(line + index, 'MD018', `"${found}" needs a space after it to make a heading`));
      });
      continue;
    }
    const content = lines[0]!.trim();
    const level = content.length - content.replace(/^#+/, '').length;
    const name = content.slice(level).replaceAll('#', '').trim();
    while (open.at(-1)!.level >= level) open.pop();
    const { names } = open.at(-1)!;
    const first = names.get(name);
    if (first !== undefined && name !== '')
      warnings.push(toWarning(line, 'MD024', `the heading "${name}" is already on line ${first}`));
    else names.set(name, line);
    open.push({ level, names: new Map() });
  }
  return warnings;
}
