import { useState } from 'react';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { CodeEditor } from '../../kit/code.tsx';
import { Answer, Badge } from '../../kit/feedback.tsx';
import { JsonTree } from '../../kit/json-tree.tsx';
import { Markdown } from '../../kit/markdown.tsx';
import { TableScroll } from '../../kit/table-scroll.tsx';
import type { Cell } from './drafts.ts';

/** Longer texts are not parsed or highlighted, and only their beginning is shown at first. */
const richChars = 100_000;
const beginningChars = 20_000;
const tableColumnsCount = 12;
const tableRowsCount = 200;

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

type TableRow = Readonly<Record<string, unknown>>;
const isRow = (value: unknown): value is TableRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isPlain);

/** A list of flat objects is shown as a table. */
function toTable(value: unknown) {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRow)) return undefined;
  const columns = [...new Set(value.flatMap((row) => Object.keys(row)))];
  return columns.length > 0 && columns.length <= tableColumnsCount ? { columns, rows: value } : undefined;
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const isNumeric = (rows: readonly TableRow[], column: string): boolean =>
  rows.slice(0, tableRowsCount).every((row) => typeof row[column] === 'number');

function JsonTable({ columns, rows }: { readonly columns: readonly string[]; readonly rows: readonly TableRow[] }) {
  return (
    <TableScroll name="Table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={isNumeric(rows, column) ? 'number' : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, tableRowsCount).map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a stored text have no other key
            <tr key={at}>
              {columns.map((column) => (
                <td key={column} className={isNumeric(rows, column) ? 'number' : undefined}>
                  {toText(row[column])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > tableRowsCount && <p className="soft">and {rows.length - tableRowsCount} more rows</p>}
    </TableScroll>
  );
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function JsonContent({ text, label }: { readonly text: string; readonly label: string }) {
  const parsed = parseJson(text);
  if (parsed === undefined) {
    return (
      <div className="cell-invalid">
        <Badge tone="attention">Not valid JSON</Badge>
        <CodeEditor text={text} label={label} language="json" isReadOnly />
      </div>
    );
  }
  const table = toTable(parsed.value);
  return table === undefined ? <JsonTree value={parsed.value} /> : <JsonTable {...table} />;
}

function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  const rest = text.length - beginningChars;
  return (
    <>
      <pre className="cell-text">{isWhole ? text : text.slice(0, beginningChars)}</pre>
      {!isWhole && rest > 0 && (
        <Button onClick={() => setWhole(true)}>Show {rest.toLocaleString()} more characters</Button>
      )}
    </>
  );
}

function Content({
  text,
  language,
  label,
}: {
  readonly text: string;
  readonly language: string;
  readonly label: string;
}) {
  if (text === '') return <p className="soft">This cell is empty.</p>;
  if (text.length > richChars || language === 'txt') return <LongText text={text} />;
  if (language === 'md') return <Markdown text={text} />;
  if (language === 'json') return <JsonContent text={text} label={label} />;
  return <CodeEditor text={text} label={label} language={language} isReadOnly />;
}

/** The content of a cell that was too long for the answer with the whole pad. */
function OmittedContent({ scratchId, cell, label }: CellContentProps & { readonly label: string }) {
  const read = useTool('scratch_read', { scratch_id: scratchId, cell_ids: [cell.cell_id], include_metadata: false });
  return (
    <Answer of={read} what="Loading the cell">
      {({ scratchpad }) => <Content text={scratchpad.cells[0]?.content ?? ''} language={cell.language} label={label} />}
    </Answer>
  );
}

interface CellContentProps {
  readonly scratchId: string;
  readonly cell: Cell;
}

export function CellContent({ scratchId, cell }: CellContentProps) {
  const label = `Content of cell ${cell.index + 1}`;
  return (
    <div className="cell-content" dir="auto">
      {cell.content_omitted ? (
        <OmittedContent scratchId={scratchId} cell={cell} label={label} />
      ) : (
        <Content text={cell.content ?? ''} language={cell.language} label={label} />
      )}
    </div>
  );
}
