import { nodesOf, type Parsed } from './parsed.ts';

/** Settings that are offered and obeyed by nobody: a promise that is not kept. */
export function findIdleSettings(files: readonly Parsed[], names: readonly string[]): readonly string[] {
  const read = new Set(
    files
      .filter(({ path }) => !path.startsWith('src/config/'))
      .flatMap(({ program }) => nodesOf(program, 'Identifier').map(({ name }) => name)),
  );
  return names.filter((name) => !read.has(name)).map((name) => `nothing reads the setting ${name}`);
}
