type Block = string | false | undefined | readonly Block[];

const flatten = (given: readonly Block[]): readonly string[] =>
  given.flatMap((block): readonly string[] => {
    if (block === false || block === undefined) return [];
    return typeof block === 'string' ? [block] : flatten(block);
  });

/** Lines, or stretches of lines, as one text. What is false is left out. */
export const joinLines = (...given: readonly Block[]): string => flatten(given).join('\n');

/** A whole file: it ends with a line end. */
export const fileText = (...given: readonly Block[]): string => `${joinLines(...given)}\n`;

/** The widest line of a generated file. */
const width = 120;

/** A list of words of code on one line, or one a line where they would not fit. */
export function wrapList(open: string, items: readonly string[], close: string, indent = ''): string {
  const one = `${indent}${open}${items.join(', ')}${close}`;
  if (one.length <= width) return one;
  const inner = items.map((item) => `${indent}  ${item},`);
  return joinLines(`${indent}${open.trimEnd()}`, inner, `${indent}${close.trimStart()}`);
}

export const quote = (text: string): string => `'${text}'`;
