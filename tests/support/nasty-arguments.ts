import { isObject } from '#kernel/json/is-object.ts';
import type { Card, JsonSchema } from '#kernel/tool/card.ts';

/** Arguments that a hostile client could send, with a name for the message of a failed test. */
export interface NastyCase {
  readonly label: string;
  readonly args: unknown;
}

type Path = readonly (string | 0)[];

interface Place {
  readonly path: Path;
  readonly schema: JsonSchema;
}

const depthMax = 3;

const branchesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  ['anyOf', 'oneOf', 'allOf'].flatMap((key) => (schema[key] as readonly JsonSchema[] | undefined) ?? []);

/** Every place of an input schema that takes a value: members, items and the branches of unions. */
function placesOf(schema: JsonSchema, path: Path = []): readonly Place[] {
  if (path.length > depthMax) return [];
  const members = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>);
  const below = members.flatMap(([key, member]) => [
    { path: [...path, key], schema: member },
    ...placesOf(member, [...path, key]),
  ]);
  const { items } = schema;
  const inList = isObject(items)
    ? [{ path: [...path, 0] as Path, schema: items }, ...placesOf(items, [...path, 0])]
    : [];
  return [...below, ...inList, ...branchesOf(schema).flatMap((branch) => placesOf(branch, path))];
}

/** The same arguments with another value at one place. */
function withValue(base: unknown, path: Path, value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (step === 0) return [withValue(Array.isArray(base) ? base[0] : undefined, rest, value)];
  const record = isObject(base) ? base : {};
  return { ...record, [step]: withValue(record[step], rest, value) };
}

const manyKeys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i.toString(36)}`, 1]));

const nested = (levels: number, inner: unknown): unknown => {
  let value = inner;
  for (let i = 0; i < levels; i += 1) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Nasty values of about `bytes` bytes of JSON each. A control character takes six bytes, and seven in a text block. */
const values: Readonly<Record<string, (bytes: number) => unknown>> = {
  'many keys': (bytes) => manyKeys(Math.floor(bytes / 10)),
  'a long key': (bytes) => ({ ['k'.repeat(bytes)]: 1 }),
  'long keys of control characters': (bytes) =>
    Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`${i}${'\u0001'.repeat(bytes / 180)}`, 1])),
  'a long text': (bytes) => 'x'.repeat(bytes),
  'a long text of quotes': (bytes) => '"\\'.repeat(bytes / 4),
  'a long text of control characters': (bytes) => '\u0001'.repeat(bytes / 6),
  'a long text of emoji': (bytes) => '😀'.repeat(bytes / 4),
  'a long text with a lone surrogate': (bytes) => `${'x'.repeat(bytes)}\uD800`,
  'a long id': (bytes) => 'a'.repeat(Math.min(bytes, 120)),
  'many numbers': (bytes) => Array(Math.floor(bytes / 2)).fill(1),
  'many nulls': (bytes) => Array(Math.floor(bytes / 5)).fill(null),
  'many texts': (bytes) => Array(Math.floor(bytes / 4)).fill('x'),
  'many lists': (bytes) => Array.from({ length: bytes / 3 }, () => []),
  'many empty objects': (bytes) => Array.from({ length: bytes / 3 }, () => ({})),
  'many objects with unknown keys': (bytes) => Array.from({ length: bytes / 13 }, (_, i) => ({ [`k${i}`]: 1 })),
  'many lists of objects': (bytes) => Array.from({ length: bytes / 62 }, () => Array.from({ length: 20 }, () => ({}))),
  'a few long texts': (bytes) => Array.from({ length: 30 }, () => 'y'.repeat(bytes / 30)),
  'deep nesting': (bytes) => nested(60, 'x'.repeat(bytes)),
};

const nastyNames = Object.keys(values);

/** At the top of the arguments: only these are not objects with one bad member. */
const whole: readonly string[] = ['many keys', 'a long key', 'long keys of control characters', 'many empty objects'];

/** Every nasty value at every place of the tool's input; the rest is the tool's own example. */
export function nastyCases(card: Card, bytes: number): readonly (() => NastyCase)[] {
  const base = card.guide.example ?? {};
  const atTop = whole.map((name) => () => {
    const value = values[name]!(bytes);
    return { label: `${card.name}: ${name}`, args: Array.isArray(value) ? value : { ...base, ...(value as object) } };
  });
  const inside = placesOf(card.inputSchema).flatMap(({ path }) =>
    nastyNames.map((name) => () => ({
      label: `${card.name}: ${name} at /${path.join('/')}`,
      args: withValue(base, path, values[name]!(bytes)),
    })),
  );
  return [...atTop, ...inside];
}
