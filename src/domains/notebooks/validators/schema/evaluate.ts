import { RetrievalError, removeUriSchemePlugin } from '@hyperjump/browser';
// Each of the three brings its dialect along; the functions are the same ones.
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
import type { SharedSchemas } from '../task.ts';
import { prepareSchema } from './prepare.ts';
import { createCollector, flatten, type Violation } from './violations.ts';

// A schema is a stranger's text: nothing that it names is fetched, from nowhere.
for (const scheme of ['http', 'https', 'file']) removeUriSchemePlugin(scheme);
setMetaSchemaOutputFormat(BASIC);
// `format` is a remark unless a schema's own dialect says otherwise, as the specification has it.
setShouldValidateFormat(undefined);

const defaultDialect = 'https://json-schema.org/draft/2020-12/schema';
const rootUri = 'scratchpad://cell/schema';
/** A name that is a URI stands for itself. */
const sharedUri = (name: string): string =>
  /^[a-z][a-z0-9+.-]*:/.test(name) ? name : `scratchpad://schemas/${encodeURIComponent(name)}`;

/** What a schema names, or 2020-12; those it refers to that name none are read as it is. */
const dialectOf = (schema: unknown): string => {
  const named = isObject(schema) ? schema['$schema'] : undefined;
  if (named !== undefined && typeof named !== 'string') throw new UnusableSchema('$schema is no text', '/$schema');
  return named ?? defaultDialect;
};

export type Validation = (value: unknown) => readonly Violation[];

/** A schema that cannot be applied, and why. */
export class UnusableSchema extends Error {
  readonly pointer: string;
  constructor(message: string, pointer = '') {
    super(message);
    this.pointer = pointer;
  }
}

/** Registers under a name and under the id that the schema gives itself; the library's registry is the thread's. */
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

/** Whoever redefined a standard dialect would change what everybody else's schemas mean. */
function guardDialect(schema: unknown): void {
  if (!isObject(schema) || !isObject(schema['$vocabulary'])) return;
  const id = schema['$id'];
  const host = typeof id === 'string' && URL.canParse(id) ? new URL(id).hostname : undefined;
  if (host === undefined || host === 'json-schema.org')
    throw new UnusableSchema('a schema with $vocabulary needs an absolute $id of its own', '/$vocabulary');
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
      // One that cannot be read is as good as not there: the schema that refers to it says so.
    }
  }
}

/** Compiles a schema, hands it to `use`, and forgets it. Throws UnusableSchema. */
export async function withSchema<T>(
  raw: unknown,
  shared: SharedSchemas,
  use: (validation: Validation) => T,
): Promise<T> {
  const dialect = dialectOf(raw);
  const registrar = createRegistrar(dialect);
  try {
    const schema = prepareSchema(raw, dialect);
    if (!isObject(schema) && typeof schema !== 'boolean')
      throw new UnusableSchema('a schema is an object, true or false');
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

/** The library tells what it looked for in its message alone. */
function tellLost({ message }: RetrievalError): string {
  const uri = /^Unable to load resource '([^']*)'/.exec(message)?.[1]?.slice(0, 200) ?? 'what it refers to';
  return `${uri} is no schema of this scratchpad, and nothing is ever fetched: put it into the schema's own $defs, or keep it with scratch_upsert_schema under that $id and refer to it so, or by scratchpad://schemas/<name>`;
}

function toUnusable(error: unknown): unknown {
  if (error instanceof UnusableSchema || !(error instanceof Error)) return error;
  if (error instanceof RangeError && error.message.includes('call stack')) return error;
  if (error instanceof InvalidSchemaError) {
    const unit = error.output.errors?.at(-1);
    const pointer = decodeURI(unit?.instanceLocation.split('#')[1] ?? '');
    const keyword = unit?.keyword.slice(unit.keyword.lastIndexOf('/') + 1);
    return new UnusableSchema(
      `${pointer === '' ? 'the schema' : pointer} breaks the rule ${keyword} of its dialect`,
      pointer,
    );
  }
  if (error instanceof RetrievalError) return new UnusableSchema(tellLost(error));
  return new UnusableSchema(error.message);
}
