export type Format = 'markdown' | 'mdx' | 'html' | 'plain' | 'declarations';

const endings: readonly (readonly [string, Format])[] = [
  ['.d.ts', 'declarations'],
  ['.d.mts', 'declarations'],
  ['.d.cts', 'declarations'],
  ['.md', 'markdown'],
  ['.markdown', 'markdown'],
  ['.mdx', 'mdx'],
  ['.html', 'html'],
  ['.htm', 'html'],
  ['.txt', 'plain'],
  ['.rst', 'plain'],
];

/** By what the name ends in; undefined: nothing that is read as docs. */
export function formatOf(path: string): Format | undefined {
  const name = path.toLowerCase();
  return endings.find(([ending]) => name.endsWith(ending))?.[1];
}

/** The path without what tells its format. */
export function withoutEnding(path: string): string {
  const ending = endings.find(([one]) => path.toLowerCase().endsWith(one))?.[0] ?? '';
  return path.slice(0, path.length - ending.length);
}
