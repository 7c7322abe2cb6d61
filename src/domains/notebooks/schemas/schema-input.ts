import type { z } from 'zod';
import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { overLimit } from '../pads/pad-faults.ts';
import type { schemaInputField } from './schema-model.ts';
import { insertSchemas } from './schema-store.ts';

/** Null clears a field; undefined leaves it as it is. */
export type SchemaInput = Readonly<z.infer<typeof schemaInputField>>;

export const schemaIdPattern = /^[A-Za-z0-9._-]{1,128}$/;
const wrapperKeys = new Set(['id', 'name', 'description', 'schema']);

const invalid = (key: string, why: string): Fault =>
  faults.VALIDATION_ERROR(
    { why: `metadata.schemas: "${key.slice(0, 80)}" ${why}` },
    { field: 'metadata.schemas', key },
  );

export function toSchemaText(schema: object): string {
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > notebookLimits.schemaBytes)
    throw overLimit(`a schema has at most ${notebookLimits.schemaBytes} bytes`, notebookLimits.schemaBytes);
  return text;
}

/** For the schemas of a whole pad. */
export function limitSchemas(count: number, bytes: number): void {
  const { padSchemasCount, padSchemasBytes } = notebookLimits;
  if (count > padSchemasCount) throw overLimit(`a scratchpad has at most ${padSchemasCount} schemas`, padSchemasCount);
  if (bytes > padSchemasBytes)
    throw overLimit(`the schemas of a scratchpad have at most ${padSchemasBytes} bytes together`, padSchemasBytes);
}

/** `{ schema, id?, name?, description? }` without other keys wraps a schema; any other map is a schema. */
const isWrapper = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(value, 'schema') && Object.keys(value).every((key) => wrapperKeys.has(key));

function readText(key: string, field: string, value: unknown, maxChars: number): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' && value !== '' && value.length <= maxChars) return value;
  throw invalid(key, `needs a ${field} of 1 to ${maxChars} characters`);
}

function readId(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && schemaIdPattern.test(value)) return value;
  throw invalid(
    key,
    `needs an id of 1 to ${notebookLimits.schemaIdChars} letters, digits, dots, hyphens and underscores`,
  );
}

function readOne(key: string, value: unknown): SchemaInput {
  if (key === '' || key.length > notebookLimits.nameChars) {
    throw invalid(key, `is not a name of 1 to ${notebookLimits.nameChars} characters`);
  }
  if (!isObject(value)) throw invalid(key, 'is neither a JSON Schema nor { schema, id?, description? }');
  if (!isWrapper(value)) return { name: key, description: null, schema: value };
  const { schema } = value;
  if (!isObject(schema)) throw invalid(key, 'needs an object as its schema');
  const id = readId(key, value['id']);
  const name = readText(key, 'name', value['name'], notebookLimits.nameChars);
  const description = readText(key, 'description', value['description'], notebookLimits.schemaDescriptionChars);
  // scratch_read shows a schema without a name under its id; accept it back in that form.
  if (key === id) return { id, name, description, schema };
  if (name !== null && name !== key) throw invalid(key, `has the name "${name.slice(0, 80)}"`);
  return { id, name: key, description, schema };
}

function rejectDuplicates(given: readonly SchemaInput[]): void {
  const seen = new Set<string>();
  for (const { id, name } of given) {
    for (const [kind, value] of [
      ['id', id],
      ['name', name],
    ] as const) {
      if (typeof value !== 'string') continue;
      if (seen.has(`${kind} ${value}`)) throw invalid(value, `is the ${kind} of two schemas`);
      seen.add(`${kind} ${value}`);
    }
  }
}

/** Reads `metadata.schemas`: name → schema, or name → { id?, description?, schema }. */
export function readSchemas(schemas: unknown): readonly SchemaInput[] {
  if (schemas === undefined || schemas === null) return [];
  if (!isObject(schemas)) {
    throw faults.VALIDATION_ERROR(
      { why: 'metadata.schemas must be a map of name → schema' },
      { field: 'metadata.schemas' },
    );
  }
  const given = Object.entries(schemas).map(([key, value]) => readOne(key, value));
  rejectDuplicates(given);
  return given;
}

/** Stores the `metadata.schemas` of a new pad. */
export function* insertPadSchemas(db: Writer, padKey: string, schemas: unknown, ids: Pick<Ids, 'uuid'>): Work<void> {
  const rows = readSchemas(schemas).map(({ id, name, description, schema }) => ({
    schema_id: id ?? ids.uuid(),
    name: name ?? null,
    description: description ?? null,
    schema: toSchemaText(schema),
    created_at: db.now,
    updated_at: db.now,
  }));
  limitSchemas(
    rows.length,
    rows.reduce((sum, row) => sum + Buffer.byteLength(row.schema), 0),
  );
  yield* insertSchemas(db, padKey, rows);
}
