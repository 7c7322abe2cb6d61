import { isName, memberName, nodesOf, type Parsed } from './parsed.ts';

/** Members of `table` that a file reads: `limits.pageBytes` or `const { pageBytes } = limits`. */
function findRead({ program }: Parsed, table: string): readonly string[] {
  const members = nodesOf(program, 'MemberExpression')
    .filter((node) => isName(node.object, table))
    .map((node) => memberName(node) ?? '');
  const unpacked = nodesOf(program, 'VariableDeclarator').flatMap(({ id, init }) =>
    isName(init, table) && id.type === 'ObjectPattern'
      ? id.properties.map((property) =>
          property.type === 'Property' && property.key.type === 'Identifier' ? property.key.name : '',
        )
      : [],
  );
  return [...members, ...unpacked];
}

/** Bounds that bound nothing. */
export function findUnusedBounds(files: readonly Parsed[], names: readonly string[]): readonly string[] {
  const read = new Set(files.flatMap((file) => findRead(file, 'limits')));
  return names.filter((name) => !read.has(name)).map((name) => `limits.${name} is read nowhere`);
}

const home = 'src/kernel/limits.ts';

/** Tables of bounds beside the one table. */
export const findScatteredBounds = (files: readonly Parsed[]): readonly string[] =>
  files
    .filter(({ path }) => path !== home)
    .flatMap((file) =>
      nodesOf(file.program, 'VariableDeclarator').flatMap((node) => {
        const value = node.init?.type === 'TSAsExpression' ? node.init.expression : node.init;
        const isTable =
          node.id.type === 'Identifier' && /limits$/i.test(node.id.name) && value?.type === 'ObjectExpression';
        return isTable ? [`${file.at(node)} keeps bounds outside ${home}`] : [];
      }),
    );

/** The unit is the last word, so that nobody compares bytes with characters. */
const units = [
  'Bytes',
  'Chars',
  'Count',
  'Depth',
  'Ms',
  'Days',
  'Seconds',
  'Minutes',
  'Hours',
  'Lines',
  'Mb',
  'Ratio',
  'Hops',
];

export const findUnitless = (names: readonly string[]): readonly string[] =>
  names
    .filter((name) => !units.some((unit) => name.endsWith(unit)))
    .map((name) => `limits.${name} does not end with its unit`);
