import type { Ids } from '#kernel/ids/ids.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { readSchemas, tooLarge, toSchemaText } from './given-schema.ts';
import { insertSchemas, type SchemaRow } from './schema-store.ts';

/** Fills the registry of a pad that was just made from its `metadata.schemas`. */
export function* fillSchemas(db: Writer, padKey: string, schemas: unknown, ids: Pick<Ids, 'uuid'>): Work<void> {
  const given = readSchemas(schemas);
  if (given.length > notebookLimits.padSchemasCount) {
    throw notebookFaults.CAPACITY_LIMIT_REACHED(
      { why: `a scratchpad has at most ${notebookLimits.padSchemasCount} schemas` },
      { limit: notebookLimits.padSchemasCount },
    );
  }
  const rows: SchemaRow[] = given.map(({ id, name, description, schema }) => ({
    schema_id: id ?? ids.uuid(),
    name: name ?? null,
    description: description ?? null,
    schema: toSchemaText(schema),
    created_at: db.now,
    updated_at: db.now,
  }));
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row.schema), 0);
  if (bytes > notebookLimits.padSchemasBytes)
    throw tooLarge('all schemas of a pad together', notebookLimits.padSchemasBytes);
  yield* insertSchemas(db, padKey, rows);
}
