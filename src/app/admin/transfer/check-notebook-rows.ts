import { languages } from '#domains/notebooks/languages.ts';
import { idPattern } from '#domains/notebooks/notebook-ids.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { Row } from '#kernel/storage/transfer.ts';
import { adminFaults } from '../admin-faults.ts';
import { isJson } from './domain-rows.ts';

export const notebookTables = {
  namespaces: 'notebook_namespaces',
  cells: 'notebook_cells',
  schemas: 'notebook_schemas',
  pads: 'notebook_pads',
  changes: 'notebook_cell_changes',
} as const;

const knownLanguages: ReadonlySet<string> = new Set(languages);

type Test = (value: unknown) => boolean;

const isTagList: Test = (value) =>
  Array.isArray(value) && value.every((tag) => typeof tag === 'string') && new Set(value).size === value.length;
const isAny: Test = () => true;

/** Columns that are parsed as JSON later, when it is too late to reject them. */
const jsonColumns: Readonly<Record<string, Readonly<Record<string, Test>>>> = {
  [notebookTables.namespaces]: {},
  [notebookTables.cells]: { tags: isTagList, metadata: isObject, json_schema: isAny },
  [notebookTables.schemas]: { schema: isAny },
  [notebookTables.pads]: { tags: isTagList, cell_tags: isTagList, metadata: isObject },
  [notebookTables.changes]: { tags: isTagList, metadata: isObject, json_schema: isAny },
};

const idColumns: Readonly<Record<string, string>> = {
  [notebookTables.cells]: 'cell_id',
  [notebookTables.pads]: 'scratch_id',
  [notebookTables.changes]: 'cell_id',
};

export const isNotebookTable = (table: string): boolean => Object.hasOwn(jsonColumns, table);

/** Rejects a row whose JSON columns would break a reader. */
export function checkNotebookRow(table: string, row: Row, line: number): void {
  const refuse = (column: string, why: string) =>
    adminFaults.IMPORT_INVALID({ line, why: `${table}.${column} ${why}` });
  const idColumn = idColumns[table];
  const isChange = table === notebookTables.changes;
  // The creation of a pad is a change without a cell.
  const hasId = !(isChange && row['cell_id'] === '');
  if (idColumn !== undefined && hasId && !idPattern.test(String(row[idColumn]))) {
    throw refuse(idColumn, 'is not a valid id');
  }
  // A change that kept no content has null in its columns.
  const isEmpty = isChange && (row['version'] ?? null) === null;
  if ((table === notebookTables.cells || isChange) && !isEmpty && !knownLanguages.has(String(row['language']))) {
    throw refuse('language', 'is not a supported cell language');
  }
  for (const [column, test] of Object.entries(jsonColumns[table] ?? {})) {
    const text = row[column] ?? null;
    if (text === null && (test === isAny || isEmpty)) continue;
    if (typeof text !== 'string' || !isJson(text, test)) throw refuse(column, 'is not valid JSON for this column');
  }
}
