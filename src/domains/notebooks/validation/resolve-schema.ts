import type { SchemaRow } from '../schemas/schema-store.ts';
import type { SchemaToApply, SharedSchemas } from '../validators/schema/apply.ts';

const prefix = 'scratchpad://schemas/';

interface SharedSchema {
  readonly id: string;
  readonly schema: unknown;
}

/** The pad's schemas by id and by name. An id takes precedence over an equal name. */
export interface SchemaLookup {
  readonly byKey: ReadonlyMap<string, SharedSchema>;
  /** For references inside schemas. */
  readonly shared: SharedSchemas;
}

export function toSchemaLookup(rows: readonly SchemaRow[]): SchemaLookup {
  const parsed = rows.map((row) => ({ row, schema: { id: row.schema_id, schema: JSON.parse(row.schema) as unknown } }));
  const byKey = new Map<string, SharedSchema>();
  for (const { row, schema } of parsed) if (row.name !== null) byKey.set(row.name, schema);
  for (const { row, schema } of parsed) byKey.set(row.schema_id, schema);
  return { byKey, shared: Object.fromEntries([...byKey].map(([key, { schema }]) => [key, schema])) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text or a `{ "$ref": … }` that refers to a shared schema; undefined for a schema of the cell itself. */
function referenceOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given.startsWith(prefix) ? given : undefined;
  if (given === null || typeof given !== 'object' || !('$ref' in given)) return undefined;
  const { $ref } = given;
  // With other keywords next to it, it is part of a schema, and the validator resolves it.
  return typeof $ref === 'string' && $ref.startsWith(prefix) && Object.keys(given).length === 1 ? $ref : undefined;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The validator resolves the pointer in `scratchpad://schemas/person#/$defs/name`. */
function resolveReference(ref: string, { byKey }: SchemaLookup): SchemaToApply {
  const [name = '', fragment = ''] = ref.slice(prefix.length).split('#', 2);
  const found = byKey.get(name) ?? byKey.get(decode(name));
  if (found === undefined) return { kind: 'missing', ref };
  const schema = fragment === '' ? found.schema : { $ref: ref };
  return { kind: 'schema', schema, id: found.id, ref };
}

/** The schema of a cell: its own, one of the pad's, or a missing one. */
export function resolveSchema(given: unknown, lookup: SchemaLookup): SchemaToApply | undefined {
  if (given === undefined || given === null) return undefined;
  const ref = referenceOf(given);
  if (ref !== undefined) return resolveReference(ref, lookup);
  if (typeof given !== 'string') return { kind: 'schema', schema: given };
  const parsed = parseText(given);
  if (parsed !== undefined) return resolveSchema(parsed, lookup);
  // Neither JSON nor a reference: the bare id or name of a shared schema.
  const found = lookup.byKey.get(given);
  return found === undefined
    ? { kind: 'missing', ref: given }
    : { kind: 'schema', schema: found.schema, id: found.id, ref: given };
}
