import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file as data: the policies are functions over these, so a planted one is only a literal. */
export interface SourceFile {
  /** From the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
}

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Not ours: installed, built, or git's own. */
const foreignFolders: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', '.git', '.cache']);

function listPaths(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return foreignFolders.has(entry.name) ? [] : listPaths(path);
    return entry.isFile() ? [path] : [];
  });
}

export const readSource = (path: string): SourceFile => ({ path, text: readFileSync(join(root, path), 'utf8') });

/** Every file below a folder of the project; `''` is the whole of it. */
export const readTree = (folder: string): readonly SourceFile[] => listPaths(folder).map(readSource);

export const isTypeScript = ({ path }: SourceFile): boolean => path.endsWith('.ts');

/** A test, a contract suite that runs on each engine, or a fixture of one of them. */
export const isTestPath = (path: string): boolean =>
  ['.test.ts', '.contract.ts', '.fixture.ts'].some((ending) => path.endsWith(ending)) ||
  path.slice(path.lastIndexOf('/') + 1).startsWith('planted-');

/** The code that runs in the program. */
export const readProgram = (): readonly SourceFile[] =>
  readTree('src').filter((file) => isTypeScript(file) && !isTestPath(file.path));

/** `src/kernel` holds `src/kernel/limits.ts` and itself, not `src/kernels/x.ts`. */
export const isInside = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`);
