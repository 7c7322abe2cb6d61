import { readdirSync, readFileSync } from 'node:fs';
import type { Card, JsonSchema } from '#kernel/tool/card.ts';

/** A mistake that agents make, with a name for the message of a failed test. */
export interface BadCall {
  readonly label: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const snapshots = new URL('../snapshots/tools/', import.meta.url);

export const readCards = (): readonly Card[] =>
  readdirSync(snapshots).map((file) => JSON.parse(readFileSync(new URL(file, snapshots), 'utf8')) as Card);

const ofAnotherType: Readonly<Record<string, unknown>> = {
  string: 7,
  integer: 'many',
  number: 'many',
  boolean: 'maybe',
  array: 'x',
  object: 'x',
};

/** Well-formed for any kind of item, and never there. */
const unknownIds: readonly string[] = [
  'nothing-like-it',
  '01936f2e-7c1a-7b3a-9f00-2c6d1c3f8a11',
  `ent_${'0'.repeat(24)}`,
];

const typeOf = (schema: JsonSchema): string => {
  const [choice] = (schema['anyOf'] as readonly JsonSchema[] | undefined) ?? [];
  const type = schema['type'] ?? choice?.['type'];
  return typeof type === 'string' ? type : 'string';
};

/** Wrong values for one argument. */
function badValues(name: string, schema: JsonSchema): readonly (readonly [string, unknown])[] {
  const type = typeOf(schema);
  return [
    ['another type', ofAnotherType[type] ?? 7],
    ...(Array.isArray(schema['enum']) ? ([['an unknown value', 'klingon']] as const) : []),
    ...(name === 'cursor' ? ([['the cursor of another list', 'eyJhIjoxfQ']] as const) : []),
    ...(type === 'string' ? ([['no text', '']] as const) : []),
    ...(type === 'string' ? unknownIds.map((id) => [`the unknown ${id}`, id] as const) : []),
    ...(type === 'integer' ? [-1, 1e9].map((value) => [`the number ${value}`, value] as const) : []),
    ...(type === 'array' ? [7, 'nothing-like-it'].map((item) => [`the item ${item}`, [item]] as const) : []),
  ];
}

/** Typical mistakes in a call of a tool; the other arguments are those of its own example. */
export function badCalls({ guide, inputSchema }: Card): readonly BadCall[] {
  const example = guide.example ?? {};
  const properties = (inputSchema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const without = (name: string) => Object.fromEntries(Object.entries(example).filter(([key]) => key !== name));
  return [
    // On an empty store, most examples name an item that does not exist.
    { label: 'the example', args: example },
    { label: 'an unknown argument', args: { ...example, zzz: 1 } },
    ...((inputSchema['required'] ?? []) as readonly string[]).map((name) => ({
      label: `no ${name}`,
      args: without(name),
    })),
    ...Object.entries(properties).flatMap(([name, schema]) =>
      badValues(name, schema).map(([what, value]) => ({
        label: `${what} as ${name}`,
        args: { ...example, [name]: value },
      })),
    ),
  ];
}
