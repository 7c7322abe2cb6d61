import { memberName, nodesOf, type Parsed } from './parsed.ts';

/** A table such as `export const padLimits = { padCount: 3 } as const`. */
export interface LimitTable {
  readonly name: string;
  readonly at: string;
  readonly keys: readonly string[];
}

/** Each module has its own table, named `…Limits`; `limits` has the shared ones. */
export const findLimitTables = (files: readonly Parsed[]): readonly LimitTable[] =>
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

/** Names that a file reads from any object, because a table may be passed under another name. */
function findRead({ program }: Parsed): readonly string[] {
  const members = nodesOf(program, 'MemberExpression').map((node) => memberName(node) ?? '');
  const unpacked = nodesOf(program, 'ObjectPattern').flatMap(({ properties }) =>
    properties.map((property) =>
      property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : '',
    ),
  );
  return [...members, ...unpacked];
}

export function findUnusedLimits(files: readonly Parsed[], tables: readonly LimitTable[]): readonly string[] {
  const read = new Set(files.flatMap(findRead));
  return tables.flatMap(({ name, keys }) =>
    keys.filter((key) => !read.has(key)).map((key) => `${name}.${key} is read nowhere`),
  );
}

/** The unit comes last, so that bytes are not compared with characters. */
const units = ['Bytes', 'Chars', 'Count', 'Depth', 'Ms', 'S', 'Days', 'Mb', 'Ratio', 'Tokens'];

export const findLimitsWithoutUnit = (tables: readonly LimitTable[]): readonly string[] =>
  tables.flatMap(({ name, keys }) =>
    keys
      .filter((key) => !units.some((unit) => key.endsWith(unit)))
      .map((key) => `${name}.${key} does not end with its unit`),
  );

/** Two tables with the same name would be confused. */
export const findDuplicateTables = (tables: readonly LimitTable[]): readonly string[] =>
  tables
    .filter(({ name }, i) => tables.findIndex((table) => table.name === name) !== i)
    .map(({ name, at }) => `${at} is a second table called ${name}`);
