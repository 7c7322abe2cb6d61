import type pg from 'pg';

type GetTypeParser = NonNullable<pg.ClientConfig['types']>['getTypeParser'];
type Parse = (text: string) => unknown;

/** Type numbers of pg_type that never change. */
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, float4: 700, float8: 701, numeric: 1700 } as const;

function toInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bug: the store answers ${text}, which no number holds`);
  return value;
}

/** Sums of integers are `numeric` here and integers on SQLite. */
const toNumber = (text: string): number => (/^-?\d+$/.test(text) ? toInteger(text) : Number(text));

const parsers: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.bytea, (text) => Buffer.from(text.slice(2), 'hex')],
  [oids.int8, toInteger],
  [oids.int4, Number],
  [oids.int2, Number],
  [oids.float4, Number],
  [oids.float8, Number],
  [oids.numeric, toNumber],
]);

const asText: Parse = (text) => text;

/** Answers have the types that SQLite gives: numbers, text, bytes; a condition is 1 or 0. */
export const getTypeParser: GetTypeParser = (oid: number) => parsers.get(oid) ?? asText;
