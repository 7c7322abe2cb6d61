type Block = string | false | undefined | readonly Block[];

const flatten = (given: readonly Block[]): readonly string[] =>
  given.flatMap((block): readonly string[] => {
    if (block === false || block === undefined) return [];
    return typeof block === 'string' ? [block] : flatten(block);
  });

/** Joins lines and blocks of lines; false and undefined are left out. */
export const joinLines = (...given: readonly Block[]): string => flatten(given).join('\n');

/** A whole file, with a final line end. */
export const fileText = (...given: readonly Block[]): string => `${joinLines(...given)}\n`;

/** The maximum line width of a generated file. */
const width = 120;

/** Items on one line, or one per line if they do not fit. */
export function wrapList(open: string, items: readonly string[], close: string, indent = ''): string {
  const one = `${indent}${open}${items.join(', ')}${close}`;
  if (one.length <= width) return one;
  const inner = items.map((item) => `${indent}  ${item},`);
  return joinLines(`${indent}${open.trimEnd()}`, inner, `${indent}${close.trimStart()}`);
}

export const quote = (text: string): string => `'${text}'`;
