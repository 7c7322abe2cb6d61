import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { copyDurably, type FileFacts, walkFiles, writeDurably } from '../durable-files.ts';
import { ifMissing } from '../file-faults.ts';
import { homeNames } from '../home-layout.ts';
import { backupNames } from './manifest.ts';

export interface BackupFile extends FileFacts {
  readonly path: string;
}

export interface CollectedFiles {
  readonly files: readonly BackupFile[];
  /** Links and other paths that are not regular files. */
  readonly skipped: readonly string[];
}

/** A file that was renamed or removed since it was listed is skipped; the next backup copies its successor. */
async function copyOne(from: string, to: string, path: string): Promise<readonly BackupFile[]> {
  const facts = await copyDurably(from, join(to, path)).catch(ifMissing(undefined));
  return facts === undefined ? [] : [{ path, ...facts }];
}

/**
 * Half-written files that their writer will rename or remove: in the `tmp` folder of the blobs, and `*.tmp` elsewhere.
 */
const isTemporary = (name: string, path: string): boolean =>
  name === homeNames.blobs ? /^(?:[^/]+\/)?tmp\//.test(path) : path.endsWith('.tmp');

export async function collectFolder(
  folder: string,
  name: string,
  to: string,
  onFile: (path: string) => void,
): Promise<CollectedFiles> {
  const files: BackupFile[] = [];
  const skipped: string[] = [];
  for await (const { path, isRegular } of walkFiles(folder)) {
    if (isTemporary(name, path)) continue;
    onFile(`${name}/${path}`);
    if (!isRegular) skipped.push(join(folder, path));
    else files.push(...(await copyOne(join(folder, path), to, `${backupNames.files}/${name}/${path}`)));
  }
  return { files, skipped };
}

export const collectCheckpoints = (home: string, to: string): Promise<readonly BackupFile[]> =>
  copyOne(join(home, homeNames.checkpoints), to, `${backupNames.files}/${homeNames.checkpoints}`);

export const collectKey = (keyFile: string, to: string): Promise<readonly BackupFile[]> =>
  copyOne(keyFile, to, backupNames.key);

export interface CollectedConfig {
  readonly files: readonly BackupFile[];
  readonly withheld: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * Copies config.json without secret settings. A file that is not valid JSON may hide a secret anywhere, so it is
 * skipped.
 */
export async function collectConfig(
  home: string,
  to: string,
  secretNames: readonly string[],
): Promise<CollectedConfig> {
  const file = join(home, homeNames.config);
  const text = await readFile(file, 'utf8').catch(ifMissing(undefined));
  if (text === undefined) return { files: [], withheld: [], skipped: [] };
  let settings: Record<string, unknown>;
  try {
    const found: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (found === null || typeof found !== 'object') throw new SyntaxError('no object');
    settings = { ...found };
  } catch {
    return { files: [], withheld: [], skipped: [file] };
  }
  const withheld = secretNames.filter((name) => Object.hasOwn(settings, name));
  for (const name of withheld) delete settings[name];
  const path = `${backupNames.files}/${homeNames.config}`;
  const facts = await writeDurably(join(to, path), `${JSON.stringify(settings, null, 2)}\n`);
  return { files: [{ path, ...facts }], withheld, skipped: [] };
}
