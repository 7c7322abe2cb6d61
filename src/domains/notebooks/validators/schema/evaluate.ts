import { RetrievalError, removeUriSchemePlugin } from '@hyperjump/browser';
// Each of the three modules registers its dialect; the functions are the same.
import { unregisterSchema } from '@hyperjump/json-schema/draft-07';
import { validate } from '@hyperjump/json-schema/draft-2019-09';
import {
  InvalidSchemaError,
  registerSchema,
  type SchemaObject,
  setMetaSchemaOutputFormat,
  setShouldValidateFormat,
} from '@hyperjump/json-schema/draft-2020-12';
import { BASIC } from '@hyperjump/json-schema/experimental';
import { isObject } from '#kernel/json/is-object.ts';
import type { SharedSchemas } from './apply.ts';
import { prepareSchema } from './prepare.ts';
import { createCollector, flatten, type Violation } from './violations.ts';

// A schema is untrusted input: nothing that it refers to is fetched.
for (const scheme of ['http', 'https', 'file']) removeUriSchemePlugin(scheme);
setMetaSchemaOutputFormat(BASIC);
// `format` is an annotation unless the schema's dialect says otherwise (JSON Schema 2020-12, 7.2.1).
setShouldValidateFormat(undefined);

const defaultDialect = 'https://json-schema.org/draft/2020-12/schema';
const rootUri = 'scratchpad://cell/schema';
/** A name that is a URI is used as it is. */
const sharedUri = (name: string): string =>
  /^[a-z][a-z0-9+.-]*:/.test(name) ? name : `scratchpad://schemas/${encodeURIComponent(name)}`;

/** Shared schemas without `$schema` get the dialect of the schema that refers to them. */
const dialectOf = (schema: unknown): string => {
  const named = isObject(schema) ? schema['$schema'] : undefined;
  if (named !== undefined && typeof named !== 'string')
    throw new UnusableSchemaError('$schema must be a text', '/$schema');
  return named ?? defaultDialect;
};

export type SchemaCheck = (value: unknown) => readonly Violation[];

export class UnusableSchemaError extends Error {
  readonly pointer: string;
  constructor(message: string, pointer = '') {
    super(message);
    this.pointer = pointer;
  }
}

/** Registers schemas with the library, whose registry is global to the worker, and removes them again. */
function createRegistrar(dialect: string) {
  const uris: string[] = [];
  return {
    add(schema: unknown, uri: string | undefined): void {
      guardDialect(schema);
      registerSchema(schema as SchemaObject, uri, dialect);
      uris.push(uri ?? ownId(schema)!);
    },
    clear(): void {
      for (const uri of uris) unregisterSchema(uri);
    },
  };
}

/** A redefined standard dialect would change the meaning of all later schemas. */
function guardDialect(schema: unknown): void {
  if (!isObject(schema) || !isObject(schema['$vocabulary'])) return;
  const id = schema['$id'];
  const host = typeof id === 'string' && URL.canParse(id) ? new URL(id).hostname : undefined;
  if (host === undefined || host === 'json-schema.org')
    throw new UnusableSchemaError('a schema with $vocabulary needs an absolute $id of its own', '/$vocabulary');
}

const ownId = (schema: unknown): string | undefined => {
  const id = isObject(schema) ? schema['$id'] : undefined;
  return typeof id === 'string' && URL.canParse(id) ? id : undefined;
};

const hasOutsideReference = (text: string): boolean => /"\$(?:schema|(?:dynamic|recursive)?[Rr]ef)":"[^#]/.test(text);

function addShared(
  registrar: ReturnType<typeof createRegistrar>,
  shared: SharedSchemas,
  root: unknown,
  dialect: string,
): void {
  if (!hasOutsideReference(JSON.stringify(root))) return;
  const taken = new Set([ownId(root)]);
  for (const [name, raw] of Object.entries(shared)) {
    const schema = prepareSchema(raw, dialect);
    const id = ownId(schema);
    try {
      registrar.add(schema, sharedUri(name));
      if (id !== undefined && !taken.has(id)) registrar.add(schema, undefined);
      taken.add(id);
    } catch {
      // An unusable shared schema counts as missing: the schema that refers to it reports that.
    }
  }
}

/** Compiles a schema for the duration of `use`. Throws UnusableSchemaError. */
export async function withSchema<T>(raw: unknown, shared: SharedSchemas, use: (check: SchemaCheck) => T): Promise<T> {
  const dialect = dialectOf(raw);
  const registrar = createRegistrar(dialect);
  try {
    const schema = prepareSchema(raw, dialect);
    if (!isObject(schema) && typeof schema !== 'boolean')
      throw new UnusableSchemaError('a schema is an object, true or false');
    addShared(registrar, shared, schema, dialect);
    registrar.add(schema, rootUri);
    const validator = await validate(rootUri);
    return use((value) => {
      const collector = createCollector();
      const { valid } = validator(value as Parameters<typeof validator>[0], { plugins: [collector] });
      return valid ? [] : flatten(collector.found());
    });
  } catch (error) {
    throw toUnusable(error);
  } finally {
    registrar.clear();
  }
}

/** The library gives the URI only in its message. */
function describeMissing({ message }: RetrievalError): string {
  const uri = /^Unable to load resource '([^']*)'/.exec(message)?.[1]?.slice(0, 200) ?? 'a reference';
  return `${uri} is not a schema of this scratchpad, and nothing is fetched: put it into $defs of the schema, or store it with scratch_upsert_schema and refer to it by its $id or by scratchpad://schemas/<name>`;
}

function toUnusable(error: unknown): unknown {
  if (error instanceof UnusableSchemaError || !(error instanceof Error)) return error;
  if (error instanceof RangeError && error.message.includes('call stack')) return error;
  if (error instanceof InvalidSchemaError) {
    const unit = error.output.errors?.at(-1);
    const pointer = decodeURI(unit?.instanceLocation.split('#')[1] ?? '');
    const keyword = unit?.keyword.slice(unit.keyword.lastIndexOf('/') + 1);
    return new UnusableSchemaError(
      `${pointer === '' ? 'the schema' : pointer} breaks the rule ${keyword} of its dialect`,
      pointer,
    );
  }
  if (error instanceof RetrievalError) return new UnusableSchemaError(describeMissing(error));
  return new UnusableSchemaError(error.message);
}
