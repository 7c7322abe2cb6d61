import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';

/** A path as it is known in the catalog, on every machine and from every working folder. */
export interface ProjectPath {
  /** The name of the project's folder. */
  readonly project: string;
  /** The absolute path of the project's folder. */
  readonly root: string;
  /** Relative to the project, with `/` as separator; empty for the project itself. */
  readonly path: string;
  readonly kind: 'file' | 'folder' | 'missing';
}

const isPresent = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** The folder above that is a git repository. */
async function findRepository(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (await isPresent(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

export const toProjectPath = (root: string, absolute: string): string => relative(root, absolute).split(sep).join('/');

/** The project is the git repository; without one, the named folder or the folder of the named file. */
export async function findProject(absolute: string, name?: string): Promise<ProjectPath> {
  const facts = await stat(absolute).catch(() => undefined);
  const folder = facts?.isDirectory() === true ? absolute : dirname(absolute);
  const root = (await findRepository(folder)) ?? folder;
  return {
    project: name ?? basename(root),
    root,
    path: toProjectPath(root, absolute),
    kind: facts === undefined ? 'missing' : facts.isDirectory() ? 'folder' : 'file',
  };
}
