import type { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Reader, Storage, Work, Writer } from '#kernel/storage/port.ts';
import type { Hashed } from '#kernel/storage/row-hash.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import type { DeepReadonly } from '#kernel/tool/tool.ts';
import { keepFormer, takeFormer } from '../pads/former-versions.ts';
import type { LastAccess } from '../pads/last-access.ts';
import { padMissing } from '../pads/pad-faults.ts';
import { bumpPad, findPad, type PadRow } from '../pads/pad-store.ts';
import { hashOfPad, padTopic, restoreTool } from '../pads/remove-pad.ts';
import { limitSchemas, type SchemaInput, toSchemaText } from './schema-input.ts';
import type { sharedSchemaField } from './schema-model.ts';
import { findUnresolvedReferences, refersToOthers } from './schema-references.ts';
import {
  countSchemas,
  findSchemaById,
  findSchemaByName,
  type SchemaRow,
  schemasOf,
  upsertSchema,
} from './schema-store.ts';

export type SharedSchema = DeepReadonly<z.infer<typeof sharedSchemaField>>;

export type Schemas = ReturnType<typeof createSchemas>;

export interface SchemasDeps {
  readonly storage: Storage;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly access?: Pick<LastAccess, 'note'>;
}

export const toSharedSchema = (row: SchemaRow): SharedSchema => ({
  id: row.schema_id,
  name: row.name,
  description: row.description,
  schema: JSON.parse(row.schema) as Record<string, unknown>,
});

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

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

/** The existing row: the one with the id or, without an id, the one with the name. */
function* findExisting(db: Reader, padKey: string, { id, name }: SchemaInput): Work<SchemaRow | undefined> {
  const named = typeof name === 'string' ? yield* findSchemaByName(db, padKey, name) : undefined;
  if (id === undefined) return named;
  if (named !== undefined && named.schema_id !== id) {
    throw faults.CONFLICT(
      { why: `Another schema of this scratchpad has the name "${name}"` },
      { schema_id: named.schema_id, fix: `Send id: "${named.schema_id}" to change that schema, or another name.` },
    );
  }
  return yield* findSchemaById(db, padKey, id);
}

const toRow = (
  db: Writer,
  before: SchemaRow | undefined,
  given: SchemaInput,
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

const schemaTopic = 'scratchpad-schema';
const schemaCopyId = (scratchId: string, schemaId: string): string => `${scratchId}/${schemaId}`;

/** Keeps the version that a write replaces. Returns the call that restores it, null if there was none. */
function* keepSchema(db: Writer, pad: PadRow, before: SchemaRow | undefined, actor: string): Work<RestoreCall | null> {
  if (before === undefined) return null;
  const { scratch_id, revision } = pad;
  const { row_hash: _hash, ...row } = before as SchemaRow & Partial<Hashed>;
  yield* keepFormer(db, schemaTopic, schemaCopyId(scratch_id, row.schema_id), revision, row, actor);
  return { tool: restoreTool, arguments: { scratch_id, schema_id: row.schema_id, copy: String(revision) } };
}

function* store(
  db: Writer,
  pad: PadRow,
  before: SchemaRow | undefined,
  after: SchemaRow,
  actor: string,
): Work<RestoreCall | null> {
  const others = yield* countSchemas(db, pad.pad_key, after.schema_id);
  limitSchemas((others?.n ?? 0) + 1, (others?.bytes ?? 0) + Buffer.byteLength(after.schema));
  const restore = yield* keepSchema(db, pad, before, actor);
  yield* upsertSchema(db, pad.pad_key, after);
  yield* db.changed(padTopic, pad.scratch_id, 'update', hashOfPad(pad));
  return restore;
}

export function createSchemas({ storage, ids, access }: SchemasDeps) {
  /** Runs after the write, so that it does not hold the transaction open. */
  async function findWarnings(scratchId: string, schema: object, call: Call): Promise<readonly string[]> {
    if (!refersToOthers(schema)) return findUnresolvedReferences(schema, []);
    const others = await storage.read(call, function* (db) {
      const pad = yield* findPad(db, scratchId);
      return pad === undefined ? [] : yield* schemasOf(db, pad.pad_key);
    });
    return findUnresolvedReferences(schema, others);
  }

  return {
    /** Sorted by name, then by id; schemas without a name come last. */
    async list(scratchId: string, call: Call) {
      const rows = await storage.read(call, function* (db) {
        const pad = yield* findPad(db, scratchId);
        if (pad === undefined) throw padMissing(scratchId);
        return yield* schemasOf(db, pad.pad_key);
      });
      access?.note(call.tenant, scratchId);
      return { ok: true as const, scratch_id: scratchId, schemas: sortSchemas(rows).map(toSharedSchema) };
    },

    /** `schemaId` is an id or a name; ids take precedence. */
    async get(scratchId: string, schemaId: string, call: Call) {
      const row = await storage.read(call, function* (db) {
        const pad = yield* findPad(db, scratchId);
        if (pad === undefined) throw padMissing(scratchId);
        return yield* findSchema(db, pad.pad_key, schemaId);
      });
      access?.note(call.tenant, scratchId);
      if (row === undefined) {
        const fix = `scratch_list_schemas {"scratch_id": "${scratchId}"} lists its schemas; scratch_upsert_schema adds one.`;
        throw faults.NOT_FOUND({ what: `schema ${schemaId} of scratchpad ${scratchId}` }, { schema_id: schemaId, fix });
      }
      return { ok: true as const, schema: toSharedSchema(row) };
    },

    /** `warnings` lists references that cannot be resolved. */
    async upsert(scratchId: string, given: SchemaInput, call: Call) {
      const text = toSchemaText(given.schema);
      const newId = ids.uuid();
      const stored = await storage.write(call, function* (db) {
        const pad = yield* bumpPad(db, scratchId, 0);
        if (pad === undefined) throw padMissing(scratchId);
        const before = yield* findExisting(db, pad.pad_key, given);
        const after = toRow(db, before, given, text, newId);
        return { after, restore: yield* store(db, pad, before, after, call.actor) };
      });
      const { after: row } = stored;
      access?.note(call.tenant, scratchId);
      const warnings = await findWarnings(scratchId, given.schema, call).catch((error: unknown) => {
        if (!(error instanceof Fault)) throw error;
        return [`The references of the schema were not checked: ${error.message}`];
      });
      return {
        ok: true as const,
        schema: toSharedSchema(row),
        ...(stored.restore !== null && { restore: stored.restore }),
        ...(warnings.length > 0 && { warnings }),
      };
    },

    /** Brings back the former version of a schema; the present one can be restored in turn. */
    async restore(scratchId: string, schemaId: string, copy: string | undefined, call: Call) {
      const stored = await storage.write(call, function* (db) {
        const pad = yield* bumpPad(db, scratchId, 0);
        if (pad === undefined) throw padMissing(scratchId);
        const present = yield* findSchema(db, pad.pad_key, schemaId);
        const id = schemaCopyId(scratchId, present?.schema_id ?? schemaId);
        const former = yield* takeFormer<SchemaRow>(
          db,
          schemaTopic,
          id,
          copy,
          `a former version of schema ${schemaId}`,
        );
        const after = { ...former, updated_at: db.now };
        yield* findExisting(db, pad.pad_key, { id: after.schema_id, name: after.name, schema: {} });
        const before = yield* store(db, pad, present, after, call.actor);
        return { row: after, restore: before };
      });
      access?.note(call.tenant, scratchId);
      const { row, restore } = stored;
      return { ok: true as const, schema: toSharedSchema(row), ...(restore !== null && { restore }) };
    },
  };
}
