import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { Language } from '../languages.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { CellInput } from '../notebook-model.ts';
import { findCells, listCells, sumCellBytes } from '../pads/cell-store.ts';
import type { LastAccess } from '../pads/last-access.ts';
import { padMissing, unknownCells } from '../pads/pad-faults.ts';
import { findPad } from '../pads/pad-store.ts';
import { type SchemaRow, schemasOf } from '../schemas/schema-store.ts';
import { resolveSchema, toSchemaLookup } from './resolve-schema.ts';
import type { ValidationPool } from './validation-pool.ts';
import { shortenResults, type ValidationResult } from './validation-result.ts';

export interface ValidationAnswer {
  readonly ok: true;
  readonly scratch_id: string;
  readonly results: readonly ValidationResult[];
}

/** A stored cell with `validate: true`. */
export interface WrittenCell {
  readonly cell_id: string;
  readonly index: number;
  readonly language: Language;
  readonly content: string;
  /** As the caller gave it: a map or a text. */
  readonly json_schema?: unknown;
}

export interface Validation {
  /** Validates cells of one snapshot, in the order of the pad. A timeout leaves no partial result. */
  validate(scratchId: string, cellIds: readonly string[] | undefined, call: Call): Promise<ValidationAnswer>;
  /** Validates a cell that is not stored, with the schemas of the pad. */
  validateGiven(scratchId: string, cell: CellInput, call: Call): Promise<ValidationAnswer>;
  /** Never throws, because the write is already committed: a failed validation becomes a warning. */
  validateWritten(cells: readonly WrittenCell[], padKey: string, call: Call): Promise<readonly ValidationResult[]>;
}

export interface ValidationDeps {
  readonly storage: Storage;
  readonly pool: ValidationPool;
  readonly log: Log;
  readonly validationTimeoutMs: number;
  readonly access?: Pick<LastAccess, 'note'>;
}

const toUnchecked = ({ cell_id, index, language }: WrittenCell, code: string, message: string): ValidationResult => ({
  cell_index: index,
  cell_id,
  language,
  valid: null,
  errors: [],
  warnings: [{ message, code }],
  details: { reason: 'not validated' },
});

function limitBytes(bytes: number): void {
  if (bytes <= notebookLimits.validatedBytes) return;
  throw notebookFaults.CAPACITY_LIMIT_REACHED(
    { why: `One call validates at most ${notebookLimits.validatedBytes} bytes; name fewer cells in cell_ids` },
    { limit: notebookLimits.validatedBytes, fix: 'Validate in several calls, each with some of the cell_ids.' },
  );
}

export function createValidation({ storage, pool, log, validationTimeoutMs, access }: ValidationDeps): Validation {
  const readCells = (scratchId: string, cellIds: readonly string[] | undefined, call: Call) =>
    storage.read(call, function* (db) {
      const pad = yield* findPad(db, scratchId);
      if (pad === undefined) throw padMissing(scratchId);
      const { pad_key: padKey } = pad;
      const size = yield* sumCellBytes(db, padKey, cellIds);
      limitBytes(size?.bytes ?? 0);
      const rows = cellIds === undefined ? yield* listCells(db, padKey) : yield* findCells(db, padKey, cellIds);
      const found = new Set(rows.map((row) => row.cell_id));
      const unknown = cellIds?.filter((id) => !found.has(id)) ?? [];
      if (unknown.length > 0) throw unknownCells(scratchId, unknown);
      const schemas: readonly SchemaRow[] = pad.has_schemas === 0 ? [] : yield* schemasOf(db, padKey);
      return { rows: rows.toSorted((a, b) => a.position - b.position), schemas };
    });

  async function run(cells: readonly WrittenCell[], schemas: readonly SchemaRow[], call: Call) {
    const lookup = toSchemaLookup(schemas);
    const toValidate = cells.map(({ cell_id: cellId, index, language, content, json_schema }) => {
      const schema = resolveSchema(json_schema, lookup);
      return { cellId, index, language, content, ...(schema === undefined ? {} : { schema }) };
    });
    const results = await pool.validate(call, toValidate, lookup.shared, validationTimeoutMs);
    return shortenResults(results, notebookLimits.validationAnswerChars);
  }

  async function readSchemas(cells: readonly WrittenCell[], padKey: string, call: Call): Promise<readonly SchemaRow[]> {
    if (cells.every(({ json_schema }) => json_schema === undefined || json_schema === null)) return [];
    return storage.read(call, (db) => schemasOf(db, padKey));
  }

  return {
    async validate(scratchId, given, call) {
      const cellIds = given === undefined || given.length === 0 ? undefined : [...new Set(given)];
      const { rows, schemas } = await readCells(scratchId, cellIds, call);
      access?.note(call.tenant, scratchId);
      const cells = rows.map((row) => ({
        cell_id: row.cell_id,
        index: row.position,
        language: row.language,
        content: row.content,
        ...(row.json_schema === null ? {} : { json_schema: JSON.parse(row.json_schema) as unknown }),
      }));
      const results = cells.length === 0 ? [] : await run(cells, schemas, call);
      return { ok: true, scratch_id: scratchId, results };
    },

    async validateGiven(scratchId, { cell_id = '', language, content, json_schema }, call) {
      limitBytes(Buffer.byteLength(content));
      const schemas = await storage.read(call, function* (db) {
        const pad = yield* findPad(db, scratchId);
        if (pad === undefined) throw padMissing(scratchId);
        return pad.has_schemas === 0 ? [] : yield* schemasOf(db, pad.pad_key);
      });
      const given = { cell_id, index: 0, language, content, ...(json_schema !== undefined && { json_schema }) };
      return { ok: true, scratch_id: scratchId, results: await run([given], schemas, call) };
    },

    async validateWritten(cells, padKey, call) {
      if (cells.length === 0) return [];
      try {
        return await run(cells, await readSchemas(cells, padKey, call), call);
      } catch (error) {
        if (error instanceof Fault) return cells.map((cell) => toUnchecked(cell, error.code, error.message));
        log.error({ err: error, tool: call.tool }, 'the validation of written cells failed');
        return cells.map((cell) => toUnchecked(cell, 'VALIDATION_FAILED', 'The validation failed; see the log'));
      }
    },
  };
}
