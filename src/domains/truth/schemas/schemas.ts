import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { toIso } from '../iso-time.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { truthLimits } from '../truth-limits.ts';
import { schemaTopic } from '../truth-vocabulary.ts';
import { builtinSchema, builtinSchemas, defaultSchema } from './builtin-schemas.ts';
import {
  compareVersions,
  type EntitySchema,
  findLostFields,
  type ListedSchema,
  type RegisteredSchema,
} from './entity-schema.ts';
import {
  activateSchema,
  countSchemas,
  deactivateSchemas,
  endActivation,
  findActivation,
  findActiveDefinition,
  findActiveDefinitions,
  findSchema,
  insertActivation,
  insertSchema,
  type SchemaHead,
  schemaHeads,
  schemasOf,
} from './schema-store.ts';

export interface SchemaRef {
  readonly entity_type: string;
  readonly version: string;
}

export interface Schemas {
  /** The active schema in this transaction: at most one query by primary key. */
  active(db: Reader, type: string): Work<EntitySchema>;
  /** The schema that was active at that time of recording: a later activation does not change a past answer. */
  activeAt(db: Reader, type: string, knownAt: number): Work<EntitySchema>;
  /** The same for several types with one query. Every type is in the result. */
  activeOf(db: Reader, types: readonly string[]): Work<ReadonlyMap<string, EntitySchema>>;
  /** Inactive until activated. Registering the same version again returns it. */
  register(given: EntitySchema, call: Call): Promise<{ schema: RegisteredSchema; created: boolean }>;
  activate(
    ref: SchemaRef,
    call: Call,
  ): Promise<{ schema: RegisteredSchema; previous_version: string; changed: boolean }>;
  /** Ordered by type, then version. Includes the fields if a type is given. */
  list(
    asked: { readonly entity_type?: string | undefined; readonly limit: number; readonly offset: number },
    call: Call,
  ): Promise<{ schemas: readonly ListedSchema[]; total: number; limit: number; offset: number }>;
}

/** What every part that reads or writes observations needs. */
export interface SchemaDeps {
  readonly schemas: Pick<Schemas, 'active' | 'activeAt' | 'activeOf'>;
}

const idOf = ({ entity_type, version }: SchemaRef): string => `${entity_type}@${version}`;

/** Validated before it was stored. */
const parseDefinition = (text: string): EntitySchema => JSON.parse(text) as EntitySchema;

const toDefinition = ({ entity_type, version, fields, open }: EntitySchema): string => {
  const text = canonicalJson({ entity_type, version, fields, ...(open === true ? { open } : {}) });
  if (Buffer.byteLength(text) > truthLimits.definitionBytes) {
    throw faults.RESOURCE_LIMIT({ what: 'The schema', limit: truthLimits.definitionBytes, unit: 'bytes' });
  }
  return text;
};

const listHead = (head: SchemaHead): ListedSchema => ({
  entity_type: head.entity_type,
  version: head.version,
  is_active: head.is_active === 1,
  is_builtin: false,
  created_at: toIso(head.created_at),
  activated_at: head.activated_at === null ? null : toIso(head.activated_at),
});

const listBuiltin = ({ entity_type, version }: EntitySchema, isActive: boolean): ListedSchema => ({
  entity_type,
  version,
  is_active: isActive,
  is_builtin: true,
  created_at: null,
  activated_at: null,
});

const openOf = ({ open }: EntitySchema): Pick<EntitySchema, 'open'> => (open === true ? { open } : {});

const byTypeAndVersion = (a: ListedSchema, b: ListedSchema): number =>
  a.entity_type === b.entity_type ? compareVersions(a.version, b.version) : a.entity_type < b.entity_type ? -1 : 1;

/** Built-in schemas without a row of the same version; active if the type has no active row. */
function unregisteredBuiltins(rows: readonly SchemaHead[], type: string | undefined): readonly ListedSchema[] {
  const kept = new Set(rows.map(idOf));
  const replaced = new Set(rows.filter(({ is_active }) => is_active === 1).map(({ entity_type }) => entity_type));
  return [...builtinSchemas.values()]
    .filter((schema) => (type === undefined || schema.entity_type === type) && !kept.has(idOf(schema)))
    .map((schema) => listBuiltin(schema, !replaced.has(schema.entity_type)));
}

function* checkVersionLimits(db: Reader, type: string): Work<void> {
  const { typeVersionsCount, tenantSchemasCount } = truthLimits;
  const counted = yield* countSchemas(db, type);
  if ((counted?.type_count ?? 0) >= typeVersionsCount) {
    throw faults.RESOURCE_LIMIT({
      what: 'The number of versions of a type',
      limit: typeVersionsCount,
      unit: 'versions',
    });
  }
  if ((counted?.all_count ?? 0) >= tenantSchemasCount) {
    throw faults.RESOURCE_LIMIT({ what: 'The number of schemas', limit: tenantSchemasCount, unit: 'schemas' });
  }
}

function checkAdditive(active: EntitySchema, next: EntitySchema): void {
  const lost = findLostFields(active, next);
  if (lost.length === 0) return;
  throw faults.VALIDATION_ERROR(
    {
      why: `${idOf(next)} removes or changes the type of fields of ${idOf(active)}: ${lost.join(', ')}`,
    },
    { field: 'fields', lost_fields: lost, active_version: active.version },
  );
}

export function createSchemas({ storage }: Pick<TruthDeps, 'storage'>): Schemas {
  /** Keyed by text, so that entries cannot become outdated. */
  const parsed = new Map<string, EntitySchema>();

  function toSchema(definition: string): EntitySchema {
    const known = parsed.get(definition);
    if (known !== undefined) return known;
    if (parsed.size >= truthLimits.parsedSchemasCount) parsed.clear();
    const schema = parseDefinition(definition);
    parsed.set(definition, schema);
    return schema;
  }

  /** Active schemas that a transaction has read. A write asks for the same few types again and again. */
  const readIn = new WeakMap<Reader, Map<string, EntitySchema>>();

  function schemasReadIn(reader: Reader): Map<string, EntitySchema> {
    const known = readIn.get(reader) ?? new Map<string, EntitySchema>();
    readIn.set(reader, known);
    return known;
  }

  function* active(db: Reader, type: string): Work<EntitySchema> {
    return (yield* activeOf(db, [type])).get(type)!;
  }

  function* activeAt(db: Reader, type: string, knownAt: number): Work<EntitySchema> {
    const version = (yield* findActivation(db, type, knownAt))?.version;
    if (version === undefined) return defaultSchema(type);
    const row = yield* findSchema(db, type, version);
    const schema = row === undefined ? builtinSchema(type, version) : toSchema(row.definition);
    if (schema === undefined) throw new Error(`bug: schema ${type} ${version} was active and is missing`);
    return schema;
  }

  function* activeOf(db: Reader, types: readonly string[]): Work<ReadonlyMap<string, EntitySchema>> {
    const known = schemasReadIn(db);
    const unread = types.filter((type) => !known.has(type));
    if (unread.length > 0) {
      const rows = yield* findActiveDefinitions(db, unread);
      for (const type of unread) known.set(type, defaultSchema(type));
      for (const { entity_type, definition } of rows) known.set(entity_type, toSchema(definition));
    }
    return known;
  }

  /** Includes built-in versions. */
  function* find(db: Reader, { entity_type, version }: SchemaRef): Work<RegisteredSchema | undefined> {
    const row = yield* findSchema(db, entity_type, version);
    if (row !== undefined) {
      const schema = toSchema(row.definition);
      return { ...listHead(row), fields: schema.fields, ...openOf(schema) };
    }
    const own = defaultSchema(entity_type);
    if (own.version !== version) return undefined;
    const isActive = (yield* findActiveDefinition(db, entity_type)) === undefined;
    return { ...listBuiltin(own, isActive), fields: own.fields, ...openOf(own) };
  }

  function* expect(db: Reader, ref: SchemaRef): Work<RegisteredSchema> {
    const found = yield* find(db, ref);
    if (found === undefined) {
      throw faults.NOT_FOUND(
        { what: `schema ${idOf(ref)}` },
        { fix: 'list_entity_schemas lists the types and versions.' },
      );
    }
    return found;
  }

  function* register(db: Writer, asked: EntitySchema) {
    const known = yield* find(db, asked);
    // Without a statement it is as open as the active version.
    const now = yield* active(db, asked.entity_type);
    const given: EntitySchema = { ...asked, open: asked.open ?? (known ?? now).open ?? false };
    const definition = toDefinition(given);
    if (known !== undefined && toDefinition(known) === definition) return { schema: known, created: false };
    if (known !== undefined) {
      throw faults.CONFLICT(
        {
          why: `${idOf(given)} exists with other fields, and a version never changes; use a version above ${now.version}`,
        },
        {
          field: 'version',
          active_version: now.version,
          fix: `Use a version above ${now.version}; list_entity_schemas lists all.`,
        },
      );
    }
    if (compareVersions(given.version, now.version) < 0) {
      throw faults.VALIDATION_ERROR(
        { why: `${idOf(given)} is older than the active version ${now.version}; use a version above it` },
        {
          field: 'version',
          active_version: now.version,
          fix: `Use a version above ${now.version}; list_entity_schemas lists all.`,
        },
      );
    }
    checkAdditive(now, given);
    yield* checkVersionLimits(db, given.entity_type);
    yield* insertSchema(db, { ...given, definition });
    yield* db.changed(schemaTopic, idOf(given), 'create', sha256Hex(definition));
    return { schema: yield* expect(db, given), created: true };
  }

  function* activate(db: Writer, ref: SchemaRef) {
    const wanted = yield* expect(db, ref);
    const before = yield* active(db, ref.entity_type);
    if (wanted.is_active) return { schema: wanted, previous_version: before.version, changed: false };
    checkAdditive(before, wanted);
    yield* deactivateSchemas(db, ref.entity_type);
    if (!wanted.is_builtin) yield* activateSchema(db, ref.entity_type, ref.version);
    schemasReadIn(db).clear();
    const last = yield* findActivation(db, ref.entity_type, db.now);
    if (last !== undefined) yield* endActivation(db, last);
    yield* insertActivation(db, ref.entity_type, ref.version);
    yield* db.changed(schemaTopic, idOf(ref), 'update', sha256Hex(toDefinition(wanted)));
    return { schema: yield* expect(db, ref), previous_version: before.version, changed: true };
  }

  return {
    active,
    activeAt,
    activeOf,
    async register(given, call) {
      toDefinition(given);
      return await storage.write(call, (db) => register(db, given));
    },
    activate: (ref, call) => storage.write(call, (db) => activate(db, ref)),
    async list({ entity_type: type, limit, offset }, call) {
      const found = await storage.read(call, function* (db) {
        if (type === undefined) {
          const heads = yield* schemaHeads(db, truthLimits.tenantSchemasCount);
          return [...heads.map(listHead), ...unregisteredBuiltins(heads, type)];
        }
        const rows = yield* schemasOf(db, type, truthLimits.typeVersionsCount);
        return [
          ...rows.map((row) => {
            const schema = toSchema(row.definition);
            return { ...listHead(row), fields: schema.fields, ...openOf(schema) };
          }),
          ...unregisteredBuiltins(rows, type).map((one) => ({
            ...one,
            fields: defaultSchema(type).fields,
            ...openOf(defaultSchema(type)),
          })),
        ];
      });
      const schemas = found.sort(byTypeAndVersion).slice(offset, offset + limit);
      return { schemas, total: found.length, limit, offset };
    },
  };
}
