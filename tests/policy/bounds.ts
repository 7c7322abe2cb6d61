import { memberName, nodesOf, type Parsed } from './parsed.ts';

/** A table of bounds: `export const padLimits = { padCount: 3 } as const`. */
export interface BoundsTable {
  readonly name: string;
  readonly at: string;
  readonly keys: readonly string[];
}

/** Rooms keep their own bounds, all in tables whose name ends so; `limits` holds those that rooms share. */
export const findBoundsTables = (files: readonly Parsed[]): readonly BoundsTable[] =>
  files.flatMap((file) =>
    nodesOf(file.program, 'VariableDeclarator').flatMap((node) => {
      const value = node.init?.type === 'TSAsExpression' ? node.init.expression : node.init;
      if (node.id.type !== 'Identifier' || !/limits$/i.test(node.id.name) || value?.type !== 'ObjectExpression')
        return [];
      const keys = value.properties.flatMap((property) =>
        property.type === 'Property' && property.key.type === 'Identifier' ? [property.key.name] : [],
      );
      return [{ name: node.id.name, at: file.at(node), keys }];
    }),
  );

/** Names that a file reads from any object: a table may be handed on under another name. */
function findRead({ program }: Parsed): readonly string[] {
  const members = nodesOf(program, 'MemberExpression').map((node) => memberName(node) ?? '');
  const unpacked = nodesOf(program, 'ObjectPattern').flatMap(({ properties }) =>
    properties.map((property) =>
      property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : '',
    ),
  );
  return [...members, ...unpacked];
}

/** Bounds that bound nothing. */
export function findUnusedBounds(files: readonly Parsed[], tables: readonly BoundsTable[]): readonly string[] {
  const read = new Set(files.flatMap(findRead));
  return tables.flatMap(({ name, keys }) =>
    keys.filter((key) => !read.has(key)).map((key) => `${name}.${key} is read nowhere`),
  );
}

/** The unit is the last word, so that nobody compares bytes with characters. */
const units = ['Bytes', 'Chars', 'Count', 'Depth', 'Ms', 'S', 'Days', 'Mb', 'Ratio'];

export const findUnitless = (tables: readonly BoundsTable[]): readonly string[] =>
  tables.flatMap(({ name, keys }) =>
    keys
      .filter((key) => !units.some((unit) => key.endsWith(unit)))
      .map((key) => `${name}.${key} does not end with its unit`),
  );

/** Two tables of one name would be taken for each other. */
export const findTwins = (tables: readonly BoundsTable[]): readonly string[] =>
  tables
    .filter(({ name }, i) => tables.findIndex((table) => table.name === name) !== i)
    .map(({ name, at }) => `${at} is a second table called ${name}`);
