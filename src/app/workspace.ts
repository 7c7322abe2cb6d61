import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Caller } from '#kernel/call.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { chooseFileRoots, type FileRootsOptions, toReal } from './file-roots.ts';

/** The folder with `.git` that contains the given one; else the given one. */
function findTopLevel(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Two projects of the same name are two workspaces. */
const toWorkspaceId = (folder: string): string => `${basename(folder)}-${sha256Hex(folder).slice(0, 6)}`;

/** The project that the program was started in. Undefined for a server, and for a program in the home folder. */
function chooseOwn(options: FileRootsOptions): string | undefined {
  const [folder] = chooseFileRoots(options).roots;
  return folder === undefined ? undefined : toWorkspaceId(findTopLevel(toReal(folder)));
}

/** A client over HTTP may be on another machine: the name of its folder is used, and nothing is looked up here. */
function chooseOfClient(folder: string, options: FileRootsOptions): string | undefined {
  if (options.surface !== 'http') return chooseOwn({ ...options, cwd: folder });
  return dirname(folder) === folder ? undefined : toWorkspaceId(folder);
}

/**
 * Where notes belong if neither the call nor the settings name a workspace: the client's folder, else the project that
 * the program was started in.
 */
export async function chooseWorkspace(options: FileRootsOptions, { root }: Pick<Caller, 'root'> = {}) {
  const folder = await root?.();
  return (folder === undefined ? undefined : chooseOfClient(folder, options)) ?? chooseOwn(options);
}
