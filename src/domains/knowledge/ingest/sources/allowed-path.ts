import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { pathRefused } from '#kernel/paths/allowed-roots.ts';
import type { SourceAccess } from './page-source.ts';

/** Empty for the folder itself; undefined if the path is not inside. */
function stepsInside(folder: string, path: string): readonly string[] | undefined {
  const way = relative(folder, path);
  if (way === '') return [];
  if (isAbsolute(way)) return undefined;
  const steps = way.split(sep);
  return steps[0] === '..' ? undefined : steps;
}

/** Hidden folders are private, except those in which package managers keep linked packages. */
const isHidden = (step: string, i: number, steps: readonly string[]): boolean =>
  step.startsWith('.') && steps[i - 1] !== 'node_modules';

/** The real path; undefined if it does not exist or is not allowed. */
export async function resolveAllowedPath(
  path: string,
  { roots, forbidden, base }: SourceAccess,
): Promise<{ readonly path: string; readonly isFolder: boolean } | undefined> {
  if (path === '' || path.includes('\0')) return undefined;
  const real = await realpath(resolve(base, path)).catch(() => undefined);
  const facts = real === undefined ? undefined : await stat(real).catch(() => undefined);
  if (real === undefined || facts === undefined || !(facts.isDirectory() || facts.isFile())) return undefined;
  const toReal = (folder: string): Promise<string> => realpath(folder).catch(() => resolve(folder));
  for (const folder of forbidden) if (stepsInside(await toReal(folder), real) !== undefined) return undefined;
  if (roots === undefined) return { path: real, isFolder: facts.isDirectory() };
  for (const root of roots) {
    const steps = stepsInside(await toReal(root), real);
    if (steps !== undefined && !steps.some(isHidden)) return { path: real, isFolder: facts.isDirectory() };
  }
  return undefined;
}

/** The same answer for missing and forbidden paths, so that callers cannot probe the file system. */
export const sourceRefused = ({ roots = [], whyNone }: SourceAccess) => pathRefused({ roots, whyNone });

export function* withParentFolders(folder: string): Generator<string> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}
