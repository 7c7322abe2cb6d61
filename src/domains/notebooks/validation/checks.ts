import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Language } from '../languages.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { Access } from '../pads/access/flush-access.ts';
import { padMissing, unknownCells } from '../pads/expect-pad.ts';
import { findCells, findPad, listCells } from '../pads/pad-store.ts';
import { type SchemaRow, schemasOf } from '../schemas/schema-store.ts';
import type { Checker } from '../validators/checker.ts';
import type { ErrorEntry, ValidationResult } from '../validators/result.ts';
import type { CellToCheck } from '../validators/task.ts';
import { resolveSchema, type SchemaShelf, toShelf } from './resolve-schema.ts';
import { sumCellBytes } from './validation-store.ts';

type Warning = ValidationResult['warnings'][number];

const cutErrors = (errors: readonly ErrorEntry[], count: number): readonly ErrorEntry[] =>
  errors.length <= count
    ? errors
    : [...errors.slice(0, count), { message: `${errors.length - count} more errors`, code: 'MORE_ERRORS' }];

const cutWarnings = (warnings: readonly Warning[], count: number): readonly Warning[] =>
  warnings.length <= count
    ? warnings
    : [...warnings.slice(0, count), { message: `${warnings.length - count} more warnings`, code: 'MORE_WARNINGS' }];

/** Every cell keeps its verdict; where all findings do not fit one answer, each cell shows fewer of them. */
export function fitResults(results: readonly ValidationResult[], chars: number): readonly ValidationResult[] {
  let fitting = results;
  let count = Math.max(0, ...results.map(({ errors, warnings }) => Math.max(errors.length, warnings.length)));
  while (count > 0 && JSON.stringify(fitting).length > chars) {
    count = Math.floor(count / 2);
    fitting = results.map((result) => ({
      ...result,
      errors: cutErrors(result.errors, count),
      warnings: cutWarnings(result.warnings, count),
    }));
  }
  return fitting;
}

export interface Validation {
  readonly ok: true;
  readonly scratch_id: string;
  readonly results: readonly ValidationResult[];
}

/** A cell that a write has kept and that asked to be validated. */
export interface WrittenCell {
  readonly cell_id: string;
  readonly index: number;
  readonly language: Language;
  readonly content: string;
  /** As it was given: a map or a text. */
  readonly json_schema?: unknown;
}

export interface Checks {
  /** All results or a fault: a timeout leaves none. Cells of one snapshot, in the order of the pad. */
  validate(scratchId: string, cellIds: readonly string[] | undefined, call: Call): Promise<Validation>;
  /** For a write that is already kept, so it never fails: what could not be validated has a warning that says why. */
  checkWritten(cells: readonly WrittenCell[], padKey: string, call: Call): Promise<readonly ValidationResult[]>;
}

export interface ChecksDeps {
  readonly storage: Storage;
  readonly checker: Checker;
  readonly log: Log;
  readonly validationTimeoutMs: number;
  readonly access?: Pick<Access, 'note'>;
}

function toCell(cell: WrittenCell, shelf: SchemaShelf): CellToCheck {
  const { cell_id, index, language, content } = cell;
  const schema = resolveSchema(cell.json_schema, shelf);
  return { cellId: cell_id, index, language, content, ...(schema === undefined ? {} : { schema }) };
}

/** No verdict: the cell counts as valid, and the warning says why nothing looked at it. */
const toUnchecked = ({ cell_id, index, language }: WrittenCell, code: string, message: string): ValidationResult => ({
  cell_index: index,
  cell_id,
  language,
  valid: true,
  errors: [],
  warnings: [{ message, code }],
  details: { reason: 'not validated' },
});

export function createChecks({ storage, checker, log, validationTimeoutMs, access }: ChecksDeps): Checks {
  const snapshot = (scratchId: string, cellIds: readonly string[] | undefined, call: Call) =>
    storage.read(call, function* (db) {
      const pad = yield* findPad(db, scratchId);
      if (pad === undefined) throw padMissing(scratchId);
      const { pad_key: padKey } = pad;
      const size = yield* sumCellBytes(db, padKey, cellIds);
      if ((size?.bytes ?? 0) > notebookLimits.contentBytes) {
        throw notebookFaults.CAPACITY_LIMIT_REACHED(
          { why: `One call validates at most ${notebookLimits.contentBytes} bytes; name fewer cells in cell_ids` },
          { limit: notebookLimits.contentBytes },
        );
      }
      const rows = cellIds === undefined ? yield* listCells(db, padKey) : yield* findCells(db, padKey, cellIds);
      const found = new Set(rows.map((row) => row.cell_id));
      const unknown = cellIds?.filter((id) => !found.has(id)) ?? [];
      if (unknown.length > 0) throw unknownCells(unknown);
      const schemas: readonly SchemaRow[] = pad.has_schemas === 0 ? [] : yield* schemasOf(db, padKey);
      return { rows: rows.toSorted((a, b) => a.position - b.position), schemas };
    });

  async function check(cells: readonly WrittenCell[], schemas: readonly SchemaRow[], call: Call) {
    const shelf = toShelf(schemas);
    const results = await checker.check(
      call,
      cells.map((cell) => toCell(cell, shelf)),
      shelf.shared,
      validationTimeoutMs,
    );
    return fitResults(results, notebookLimits.answerChars);
  }

  async function readSchemas(cells: readonly WrittenCell[], padKey: string, call: Call): Promise<readonly SchemaRow[]> {
    if (cells.every(({ json_schema }) => json_schema === undefined || json_schema === null)) return [];
    return storage.read(call, function* (db) {
      return yield* schemasOf(db, padKey);
    });
  }

  return {
    async validate(scratchId, given, call) {
      const cellIds = given === undefined || given.length === 0 ? undefined : [...new Set(given)];
      const { rows, schemas } = await snapshot(scratchId, cellIds, call);
      access?.note(call.tenant, scratchId);
      const cells = rows.map((row) => ({
        cell_id: row.cell_id,
        index: row.position,
        language: row.language,
        content: row.content,
        ...(row.json_schema === null ? {} : { json_schema: JSON.parse(row.json_schema) as unknown }),
      }));
      const results = cells.length === 0 ? [] : await check(cells, schemas, call);
      return { ok: true, scratch_id: scratchId, results };
    },

    async checkWritten(cells, padKey, call) {
      if (cells.length === 0) return [];
      try {
        return await check(cells, await readSchemas(cells, padKey, call), call);
      } catch (error) {
        if (error instanceof Fault) return cells.map((cell) => toUnchecked(cell, error.code, error.message));
        log.error({ err: error, tool: call.tool }, 'the validation of a written cell failed');
        return cells.map((cell) => toUnchecked(cell, 'VALIDATION_FAILED', 'The validation failed; the log says why'));
      }
    },
  };
}
