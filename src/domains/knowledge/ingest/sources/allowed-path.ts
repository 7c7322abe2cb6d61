import { realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { pathFaults } from '#kernel/paths/path-faults.ts';
import type { SourceAccess } from './page-source.ts';

/** The way from the folder down to the path, empty for the folder itself; undefined when the path is not inside. */
function stepsInside(folder: string, path: string): readonly string[] | undefined {
  const way = relative(folder, path);
  if (way === '') return [];
  if (isAbsolute(way)) return undefined;
  const steps = way.split(sep);
  return steps[0] === '..' ? undefined : steps;
}

/** Hidden folders are not for others, but for those in which package managers keep what they link to. */
const isHidden = (step: string, i: number, steps: readonly string[]): boolean =>
  step.startsWith('.') && steps[i - 1] !== 'node_modules';

/** A folder or file as it really is; undefined when it is not there or may not be read. */
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

/** One answer for what is missing and for what is outside: it tells nobody what lies there. */
export const pathRefused = () => pathFaults.PATH_REFUSED();

/** The folder and those above it, up to the top. */
export function* withParentFolders(folder: string): Generator<string> {
  for (let at = resolve(folder); ; at = dirname(at)) {
    yield at;
    if (dirname(at) === at) return;
  }
}
