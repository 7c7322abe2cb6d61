import type { Field } from '../service-request.ts';

/** Code of two values that differ, and of one that is refused. */
interface Sample {
  readonly first: string;
  readonly second: string;
  readonly wrong: string;
}

const plain: Readonly<Record<Field['type'], Sample>> = {
  string: { first: "'a first text'", second: "'Zweiter Text ✓'", wrong: '5' },
  // Neither is whole in four bytes.
  number: { first: '0.1', second: '-123456789.25', wrong: "'five'" },
  boolean: { first: 'true', second: 'false', wrong: "'yes'" },
  date: { first: "'2024-02-29T12:34:56.789Z'", second: "'1969-07-20T20:17:40.000Z'", wrong: "'yesterday'" },
  objectId: { first: "'65a1b2c3d4e5f60718293a4b'", second: "'0123456789abcdef01234567'", wrong: "'65a1b2c3'" },
  array: { first: "['a', 2, { deep: [true, null] }]", second: '[]', wrong: '{ a: 1 }' },
  object: { first: "{ a: 1, deep: { list: ['x', null] } }", second: '{}', wrong: "['a']" },
};

const unique: Readonly<Record<Field['type'], Pick<Sample, 'first' | 'second'>>> = {
  string: { first: `\`first \${run}\``, second: `\`second \${run}\`` },
  number: { first: 'seed + 0.1', second: 'seed + 0.2' },
  // There are no others.
  boolean: plain.boolean,
  date: { first: 'new Date(seed).toISOString()', second: 'new Date(seed + 1).toISOString()' },
  objectId: { first: 'run', second: "run.slice(1) + (run[0] === 'a' ? 'b' : 'a')" },
  array: { first: '[run, 1]', second: '[run, 2]' },
  object: { first: '{ run, at: [1] }', second: '{ run, at: [2] }' },
};

export const sampleOf = (field: Field): Sample =>
  field.unique ? { ...plain[field.type], ...unique[field.type] } : plain[field.type];
