import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A source file as data, so that a negative control can be a literal. */
export interface SourceFile {
  /** Relative to the project root, with `/`. */
  readonly path: string;
  readonly text: string;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Installed, built, or Git's own; in a worktree `.git` is a file. */
const foreignNames: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', '.git', '.cache']);

function listPaths(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (foreignNames.has(entry.name)) return [];
    if (entry.isDirectory()) return listPaths(path);
    return entry.isFile() ? [path] : [];
  });
}

export const readSource = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') });

/** All files below a folder of the project; `''` is the project root. */
export const readTree = (folder: string): readonly SourceFile[] => listPaths(folder).map(readSource);

export const isTypeScript = ({ path }: SourceFile): boolean => path.endsWith('.ts');

/** A test, a contract suite, or a fixture. */
export const isTestPath = (path: string): boolean =>
  ['.test.ts', '.contract.ts', '.fixture.ts'].some((ending) => path.endsWith(ending));

/** The code of the program without tests. */
export const readProgram = (): readonly SourceFile[] =>
  readTree('src').filter((file) => isTypeScript(file) && !isTestPath(file.path));

/** `src/kernel` contains itself and `src/kernel/limits.ts`, but not `src/kernels/x.ts`. */
export const isInside = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
