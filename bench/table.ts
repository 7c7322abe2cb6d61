/** One line of the report: a value with its baseline and its target, if it has them. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly baseline?: number;
  /** value / baseline, or baseline / value if less is better. */
  readonly ratio?: number;
  readonly bar?: string;
  readonly isMet?: boolean;
}

const round = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toFixed(2));

export function printTable(rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    row.what,
    `${round(row.value)} ${row.unit}`,
    row.baseline === undefined ? '' : round(row.baseline),
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.bar ?? '',
    row.isMet === undefined ? '' : row.isMet ? 'met' : 'MISSED',
  ]);
  const heads = ['what', 'value', 'baseline', 'ratio', 'bar', ''];
  const widths = heads.map((head, i) => Math.max(head.length, ...cells.map((cell) => cell[i]?.length ?? 0)));
  const line = (cell: readonly string[]) => cell.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  ');
  process.stdout.write(`${[line(heads), ...cells.map(line)].join('\n')}\n`);
}
