/** A row with another number of cells than the table has columns. `line` counts from the paragraph's first. */
export interface RowFinding {
  readonly line: number;
  readonly column: number;
  readonly cells: number;
  readonly columns: number;
}

const isDelimiter = (cell: string): boolean => /^:?-+:?$/.test(cell);

/** The cells between the pipes that are not escaped. */
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

/** Where the table begins whose second line this is, if it is one: as many dashes as its first has cells. */
function columnsOf(header: string, delimiters: string): number | undefined {
  if (!delimiters.includes('|') || !delimiters.includes('-')) return undefined;
  const cells = toCells(delimiters);
  return cells.every(isDelimiter) && toCells(header).length === cells.length ? cells.length : undefined;
}

/** The rows of a paragraph's table, which runs to the end of it. */
export function findRaggedRows(lines: readonly string[]): readonly RowFinding[] {
  const second = lines.findIndex((line, index) => index > 0 && columnsOf(lines[index - 1]!, line) !== undefined);
  if (second === -1) return [];
  const columns = columnsOf(lines[second - 1]!, lines[second]!)!;
  return lines.slice(second + 1).flatMap((row, index) => {
    const cells = toCells(row).length;
    if (cells === columns) return [];
    return [{ line: second + 1 + index, column: row.trimEnd().length, cells, columns }];
  });
}
