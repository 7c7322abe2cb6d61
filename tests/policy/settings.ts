import { nodesOf, type Parsed } from './parsed.ts';

/** Settings that nothing obeys yet, each with what will. */
export const awaited: Readonly<Record<string, string>> = {
  fileRoots: 'the memory of what is so reads files from these folders',
};

/** Settings that are offered and obeyed by nobody: a promise that is not kept. */
export function findIdleSettings(files: readonly Parsed[], names: readonly string[]): readonly string[] {
  const read = new Set(
    files
      .filter(({ path }) => !path.startsWith('src/config/'))
      .flatMap(({ program }) => nodesOf(program, 'Identifier').map(({ name }) => name)),
  );
  return names
    .filter((name) => !read.has(name) && !(name in awaited))
    .map((name) => `nothing reads the setting ${name}`);
}
