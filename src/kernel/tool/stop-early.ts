import type { z } from 'zod';
import { limits } from '../limits.ts';

type Schema = z.core.$ZodType;
type Parse = Schema['_zod']['parse'];
type Payload = z.core.ParsePayload;
type Context = z.core.ParseContextInternal;

/** Small, because nested lists multiply what is checked after the last error that is shown. */
const chunkCount = 16;

/** Whether enough errors were found. A value with an issue is invalid, so skipping the rest never accepts anything. */
const isDone = ({ issues }: Payload): boolean => issues.length >= limits.paramErrorsCount;

function parseList(parse: Parse, payload: Payload, ctx: Context, input: readonly unknown[]): Payload {
  const parsed: unknown[] = [];
  for (let from = 0; from < input.length && !isDone(payload); from += chunkCount) {
    const part = parse({ value: input.slice(from, from + chunkCount), issues: [] }, ctx) as Payload;
    for (const issue of part.issues) {
      const [at, ...rest] = issue.path ?? [];
      payload.issues.push({ ...issue, path: [Number(at) + from, ...rest] });
    }
    for (const item of part.value as readonly unknown[]) parsed.push(item);
  }
  payload.value = parsed;
  return payload;
}

function parseRecord(parse: Parse, payload: Payload, ctx: Context, input: object, keys: readonly string[]): Payload {
  const parsed: [string, unknown][] = [];
  for (let from = 0; from < keys.length && !isDone(payload); from += chunkCount) {
    const chunk = keys.slice(from, from + chunkCount);
    const value: unknown = Object.fromEntries(chunk.map((key) => [key, input[key as keyof typeof input]]));
    const part = parse({ value, issues: [] }, ctx) as Payload;
    payload.issues.push(...part.issues);
    for (const entry of Object.entries(part.value as object)) parsed.push(entry);
  }
  payload.value = Object.fromEntries(parsed);
  return payload;
}

type Bounded = (parse: Parse, payload: Payload, ctx: Context) => ReturnType<Parse>;

/** zod replaces the parser of a schema at its first use, so the property must pass the new one to ours. */
function replaceParse({ _zod: zod }: Schema, bounded: Bounded): void {
  let { parse } = zod;
  // A schema without checks runs its parser directly.
  const names = zod.run === parse ? ['parse', 'run'] : ['parse'];
  const own: Parse = (payload, ctx) => bounded(parse, payload, ctx);
  const get = () => own;
  const set = (next: Parse) => {
    parse = next;
  };
  for (const name of names) Object.defineProperty(zod, name, { get, set, enumerable: true, configurable: true });
}

function stopInList(schema: z.core.$ZodArray): void {
  const { bag } = schema._zod;
  replaceParse(schema, (parse, payload, ctx) => {
    const input: unknown = payload.value;
    if (!Array.isArray(input) || input.length <= chunkCount) return parse(payload, ctx);
    // zod refuses a list that is too long before it reads the items.
    const isTooLong = typeof bag['maximum'] === 'number' && input.length > bag['maximum'];
    return isTooLong ? parse(payload, ctx) : parseList(parse, payload, ctx, input);
  });
}

function stopInRecord(schema: z.core.$ZodRecord): void {
  const { keyType, valueType } = schema._zod.def;
  // Only all keys together show whether a named one is missing.
  if (keyType._zod.values !== undefined) return;
  if (valueType._zod.def.type === 'unknown' && keyType._zod.def.checks === undefined) return;
  replaceParse(schema, (parse, payload, ctx) => {
    const input: unknown = payload.value;
    if (input === null || typeof input !== 'object' || Array.isArray(input)) return parse(payload, ctx);
    const keys = Object.keys(input);
    return keys.length <= chunkCount ? parse(payload, ctx) : parseRecord(parse, payload, ctx, input, keys);
  });
}

const isSchema = (value: unknown): value is Schema => value !== null && typeof value === 'object' && '_zod' in value;

/** The schemas that a definition contains, whatever it calls them. */
function partsOf({ _zod: { def } }: Schema): readonly Schema[] {
  const { checks: _checks, ...members } = def as z.core.$ZodTypeDef & { readonly getter?: () => Schema };
  const lazy = members.getter === undefined ? [] : [members.getter()];
  const held = Object.values(members).flatMap((member: unknown) =>
    member !== null && typeof member === 'object' && !isSchema(member)
      ? Object.values(member as Readonly<Record<string, unknown>>)
      : [member],
  );
  return [...lazy, ...held.filter(isSchema)];
}

const prepared = new WeakSet<Schema>();

/**
 * zod collects every issue of every item: 4 MB of wrong items would make a million. Prepares a schema, once, so that long
 * lists and records are checked only until there are as many errors as a fault shows.
 */
export function stopEarly<S extends Schema>(schema: S): S {
  if (prepared.has(schema)) return schema;
  prepared.add(schema);
  const { type } = schema._zod.def;
  if (type === 'array') stopInList(schema as unknown as z.core.$ZodArray);
  if (type === 'record') stopInRecord(schema as unknown as z.core.$ZodRecord);
  for (const part of partsOf(schema)) stopEarly(part);
  return schema;
}
