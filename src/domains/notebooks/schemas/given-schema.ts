import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';

/** A schema as a caller hands it over. Null: the caller says that there is none; undefined: the caller says nothing. */
export interface GivenSchema {
  readonly id?: string | undefined;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly schema: object;
}

export const schemaIdPattern = /^[A-Za-z0-9._-]{1,128}$/;
const wrapperKeys = new Set(['id', 'name', 'description', 'schema']);

const refused = (key: string, why: string): Fault =>
  faults.VALIDATION_ERROR(
    { why: `metadata.schemas: "${key.slice(0, 80)}" ${why}` },
    { field: 'metadata.schemas', key },
  );

/** The text that is kept of a schema; one that is too long is refused. */
export function toSchemaText(schema: object): string {
  const text = JSON.stringify(schema);
  if (Buffer.byteLength(text) > notebookLimits.schemaBytes) throw tooLarge('one schema', notebookLimits.schemaBytes);
  return text;
}

export const tooLarge = (what: string, limit: number): Fault =>
  notebookFaults.CAPACITY_LIMIT_REACHED({ why: `${what} has more than ${limit} bytes` }, { limit });

/** `{ schema, id?, name?, description? }` and nothing else is a schema with its particulars; any other map is a schema. */
const isWrapper = (value: Readonly<Record<string, unknown>>): boolean =>
  Object.hasOwn(value, 'schema') && Object.keys(value).every((key) => wrapperKeys.has(key));

function readText(key: string, field: string, value: unknown, maxChars: number): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' && value !== '' && value.length <= maxChars) return value;
  throw refused(key, `needs a ${field} of 1 to ${maxChars} characters`);
}

function readId(key: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && schemaIdPattern.test(value)) return value;
  throw refused(
    key,
    `needs an id of 1 to ${notebookLimits.schemaIdChars} letters, digits, dots, hyphens and underscores`,
  );
}

function readOne(key: string, value: unknown): GivenSchema {
  if (key === '' || key.length > notebookLimits.nameChars) {
    throw refused(key, `is no name of 1 to ${notebookLimits.nameChars} characters`);
  }
  if (!isObject(value)) throw refused(key, 'is neither a JSON Schema nor { schema, id?, description? }');
  if (!isWrapper(value)) return { name: key, description: null, schema: value };
  const { schema } = value;
  if (!isObject(schema)) throw refused(key, 'needs an object as its schema');
  const id = readId(key, value['id']);
  const name = readText(key, 'name', value['name'], notebookLimits.nameChars);
  const description = readText(key, 'description', value['description'], notebookLimits.schemaDescriptionChars);
  // A pad shows a schema without a name under its id, and takes it back so.
  if (key === id) return { id, name, description, schema };
  if (name !== null && name !== key) throw refused(key, `calls itself "${name.slice(0, 80)}"`);
  return { id, name: key, description, schema };
}

function refuseRepeated(given: readonly GivenSchema[]): void {
  const seen = new Set<string>();
  for (const { id, name } of given) {
    for (const [kind, value] of [
      ['id', id],
      ['name', name],
    ] as const) {
      if (typeof value !== 'string') continue;
      if (seen.has(`${kind} ${value}`)) throw refused(value, `stands twice, as the ${kind} of two schemas`);
      seen.add(`${kind} ${value}`);
    }
  }
}

/** What a pad's metadata brings along: a map of name → schema, or name → { id?, description?, schema }. */
export function readSchemas(schemas: unknown): readonly GivenSchema[] {
  if (schemas === undefined || schemas === null) return [];
  if (!isObject(schemas)) {
    throw faults.VALIDATION_ERROR({ why: 'metadata.schemas is a map of name → schema' }, { field: 'metadata.schemas' });
  }
  const given = Object.entries(schemas).map(([key, value]) => readOne(key, value));
  refuseRepeated(given);
  return given;
}
