import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Reader, Storage, Work, Writer } from '#kernel/storage/port.ts';
import { notebookFaults } from '../notebook-faults.ts';
import { notebookLimits } from '../notebook-limits.ts';
import type { Access } from '../pads/access/flush-access.ts';
import { padMissing } from '../pads/expect-pad.ts';
import { bumpPad, findPad } from '../pads/pad-store.ts';
import { hashOfPad, padTopic } from '../pads/removal/remove-pad.ts';
import { type GivenSchema, tooLarge, toSchemaText } from './given-schema.ts';
import {
  countSchemas,
  findSchemaById,
  findSchemaByName,
  type SchemaRow,
  schemasOf,
  upsertSchema,
} from './schema-store.ts';
import { refersToOthers, warnOfSchema } from './schema-warnings.ts';

/** A schema that the cells of a pad share. */
export interface SharedSchema {
  readonly id: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Schemas {
  /** By name, those without one last, then by id. */
  list(scratchId: string, call: Call): Promise<{ ok: true; scratch_id: string; schemas: readonly SharedSchema[] }>;
  /** `schemaId` is an id, or else a name. */
  get(scratchId: string, schemaId: string, call: Call): Promise<{ ok: true; schema: SharedSchema }>;
  /** `warnings`: what the schema refers to and what nobody could find, so that no cell can be checked with it. */
  upsert(
    scratchId: string,
    given: GivenSchema,
    call: Call,
  ): Promise<{ ok: true; schema: SharedSchema; warnings?: readonly string[] }>;
}

export interface SchemasDeps {
  readonly storage: Storage;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly access?: Pick<Access, 'note'>;
}

export const toSharedSchema = (row: SchemaRow): SharedSchema => ({
  id: row.schema_id,
  name: row.name,
  description: row.description,
  schema: JSON.parse(row.schema) as Record<string, unknown>,
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** One order on every engine. */
const sortSchemas = (rows: readonly SchemaRow[]): readonly SchemaRow[] =>
  rows.toSorted(
    (a, b) =>
      Number(a.name === null) - Number(b.name === null) ||
      compare(a.name ?? '', b.name ?? '') ||
      compare(a.schema_id, b.schema_id),
  );

function* findSchema(db: Reader, padKey: string, idOrName: string): Work<SchemaRow | undefined> {
  return (yield* findSchemaById(db, padKey, idOrName)) ?? (yield* findSchemaByName(db, padKey, idOrName));
}

/** The row that is updated: the one with the id, or, when no id was given, the one with the name. */
function* findBefore(db: Reader, padKey: string, { id, name }: GivenSchema): Work<SchemaRow | undefined> {
  const named = typeof name === 'string' ? yield* findSchemaByName(db, padKey, name) : undefined;
  if (id === undefined) return named;
  if (named !== undefined && named.schema_id !== id) {
    throw faults.CONFLICT(
      { why: `Another schema of this scratchpad is called "${name}"` },
      { schema_id: named.schema_id },
    );
  }
  return yield* findSchemaById(db, padKey, id);
}

function* checkRoom(db: Reader, padKey: string, row: SchemaRow): Work<void> {
  const others = yield* countSchemas(db, padKey, row.schema_id);
  if ((others?.n ?? 0) >= notebookLimits.padSchemasCount) {
    throw notebookFaults.CAPACITY_LIMIT_REACHED(
      { why: `a scratchpad has at most ${notebookLimits.padSchemasCount} schemas` },
      { limit: notebookLimits.padSchemasCount },
    );
  }
  if ((others?.bytes ?? 0) + Buffer.byteLength(row.schema) > notebookLimits.padSchemasBytes) {
    throw tooLarge('all schemas of a pad together', notebookLimits.padSchemasBytes);
  }
}

/** What is not given stays as it was. */
const toRow = (
  db: Writer,
  before: SchemaRow | undefined,
  given: GivenSchema,
  schema: string,
  newId: string,
): SchemaRow => ({
  schema_id: before?.schema_id ?? given.id ?? newId,
  name: given.name === undefined ? (before?.name ?? null) : given.name,
  description: given.description === undefined ? (before?.description ?? null) : given.description,
  schema,
  created_at: before?.created_at ?? db.now,
  updated_at: db.now,
});

export function createSchemas({ storage, ids, access }: SchemasDeps): Schemas {
  /** After the write, so that nobody waits for it to be looked through. */
  async function warnOf(scratchId: string, schema: object, call: Call): Promise<readonly string[]> {
    if (!refersToOthers(schema)) return warnOfSchema(schema, []);
    const others = await storage.read(call, function* (db) {
      const pad = yield* findPad(db, scratchId);
      return pad === undefined ? [] : yield* schemasOf(db, pad.pad_key);
    });
    return warnOfSchema(schema, others);
  }

  return {
    async list(scratchId, call) {
      const rows = await storage.read(call, function* (db) {
        const pad = yield* findPad(db, scratchId);
        if (pad === undefined) throw padMissing(scratchId);
        return yield* schemasOf(db, pad.pad_key);
      });
      access?.note(call.tenant, scratchId);
      return { ok: true, scratch_id: scratchId, schemas: sortSchemas(rows).map(toSharedSchema) };
    },

    async get(scratchId, schemaId, call) {
      const row = await storage.read(call, function* (db) {
        const pad = yield* findPad(db, scratchId);
        if (pad === undefined) throw padMissing(scratchId);
        return yield* findSchema(db, pad.pad_key, schemaId);
      });
      access?.note(call.tenant, scratchId);
      if (row === undefined) throw faults.NOT_FOUND({ what: `schema ${schemaId} of scratchpad ${scratchId}` });
      return { ok: true, schema: toSharedSchema(row) };
    },

    async upsert(scratchId, given, call) {
      const text = toSchemaText(given.schema);
      const newId = ids.uuid();
      const row = await storage.write(call, function* (db) {
        const pad = yield* bumpPad(db, scratchId, 0);
        if (pad === undefined) throw padMissing(scratchId);
        const before = yield* findBefore(db, pad.pad_key, given);
        const after = toRow(db, before, given, text, newId);
        yield* checkRoom(db, pad.pad_key, after);
        yield* upsertSchema(db, pad.pad_key, after);
        yield* db.changed(padTopic, scratchId, 'update', hashOfPad(pad));
        return after;
      });
      access?.note(call.tenant, scratchId);
      const warnings = await warnOf(scratchId, given.schema, call);
      return { ok: true, schema: toSharedSchema(row), ...(warnings.length > 0 && { warnings }) };
    },
  };
}
