import type { SchemaRow } from '../schemas/schema-store.ts';
import type { CellToCheck, SharedSchemas } from '../validators/task.ts';

type SchemaToApply = NonNullable<CellToCheck['schema']>;

/** How a cell, or a schema, names one of the pad's shared schemas. */
const prefix = 'scratchpad://schemas/';

interface Kept {
  readonly id: string;
  readonly schema: unknown;
}

/** The pad's schemas by id and by name. An id goes before a name that is spelled the same. */
export interface SchemaShelf {
  readonly byKey: ReadonlyMap<string, Kept>;
  /** As the checker takes them, for references inside of schemas. */
  readonly shared: SharedSchemas;
}

export function toShelf(rows: readonly SchemaRow[]): SchemaShelf {
  const parsed = rows.map((row) => ({ row, kept: { id: row.schema_id, schema: JSON.parse(row.schema) as unknown } }));
  const byKey = new Map<string, Kept>();
  for (const { row, kept } of parsed) if (row.name !== null) byKey.set(row.name, kept);
  for (const { row, kept } of parsed) byKey.set(row.schema_id, kept);
  return { byKey, shared: Object.fromEntries([...byKey].map(([key, { schema }]) => [key, schema])) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The reference that a text or a `{ "$ref": … }` is; undefined for a schema of its own. */
function referenceOf(given: unknown): string | undefined {
  if (typeof given === 'string') return given.startsWith(prefix) ? given : undefined;
  if (given === null || typeof given !== 'object' || !('$ref' in given)) return undefined;
  const { $ref } = given;
  // Beside other keywords it is a part of a schema, which the checker resolves.
  return typeof $ref === 'string' && $ref.startsWith(prefix) && Object.keys(given).length === 1 ? $ref : undefined;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `scratchpad://schemas/person#/$defs/name` is looked up inside of `person` by the checker, which knows pointers. */
function resolveReference(ref: string, { byKey }: SchemaShelf): SchemaToApply {
  const [name = '', fragment = ''] = ref.slice(prefix.length).split('#', 2);
  const kept = byKey.get(name) ?? byKey.get(decode(name));
  if (kept === undefined) return { kind: 'missing', ref };
  const schema = fragment === '' ? kept.schema : { $ref: ref };
  return { kind: 'schema', schema, id: kept.id, ref };
}

/** What is to be applied to a cell: its own schema, one of the pad's, or word that there is none of that name. */
export function resolveSchema(given: unknown, shelf: SchemaShelf): SchemaToApply | undefined {
  if (given === undefined || given === null) return undefined;
  const ref = referenceOf(given);
  if (ref !== undefined) return resolveReference(ref, shelf);
  if (typeof given !== 'string') return { kind: 'schema', schema: given };
  const parsed = parseText(given);
  if (parsed !== undefined) return resolveSchema(parsed, shelf);
  // Neither JSON nor a reference: somebody's way to name a schema.
  const kept = shelf.byKey.get(given);
  return kept === undefined
    ? { kind: 'missing', ref: given }
    : { kind: 'schema', schema: kept.schema, id: kept.id, ref: given };
}
