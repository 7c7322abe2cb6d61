import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type Migration, schemaVersion } from '#kernel/storage/migration.ts';
import { inspectStore } from '#kernel/storage/sqlite/inspect.ts';
import { adminFaults } from '../admin-faults.ts';
import type { AdminProgress } from '../admin-step.ts';
import { hashFile } from '../durable-files.ts';
import { absentAs } from '../file-faults.ts';
import { backupNames, type Manifest, readManifest } from './manifest.ts';

const refuse = (why: string) => adminFaults.BACKUP_DAMAGED({ why });

type ListedFile = Manifest['body']['files'][number];

/** A link in a backup could name any file of this machine. */
async function checkFile(root: string, { path, bytes, sha256 }: ListedFile): Promise<void> {
  const file = join(root, path);
  const found = await lstat(file).catch(absentAs(undefined));
  if (found === undefined) throw refuse(`${path} is missing`);
  if (!found.isFile() || (await realpath(file)) !== file.replaceAll('/', sep)) throw refuse(`${path} is no plain file`);
  if (found.size !== bytes) throw refuse(`${path} has ${found.size} bytes instead of ${bytes}`);
  if ((await hashFile(file)).sha256 !== sha256) throw refuse(`${path} is not what it was: its SHA-256 is another`);
}

function checkStore(file: string, { body }: Manifest): void {
  let schema: number;
  try {
    ({ schema } = inspectStore(file));
  } catch (error) {
    throw error instanceof Fault ? refuse(`${backupNames.store} cannot be opened (${error.message})`) : error;
  }
  if (schema !== body.schema) throw refuse(`${backupNames.store} has the schema ${schema}, not ${body.schema}`);
}

/** Looks at every byte of a backup; what comes back is whole and can be restored by this program. */
export async function verifyBackup(
  folder: string,
  migrations: readonly Migration[],
  progress: AdminProgress = () => {},
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const { schema, files, store, withKeys } = manifest.body;
  const known = schemaVersion(migrations);
  if (schema > known) throw faults.STORE_NEWER({ found: schema, known });
  const paths = new Set(files.map(({ path }) => path));
  if (paths.size !== files.length) throw refuse('a file is listed twice');
  if (paths.has(backupNames.store) !== (store === 'sqlite')) throw refuse('it does not say whether it holds the store');
  if (paths.has(backupNames.key) !== withKeys) throw refuse('it does not say whether it holds the keys');
  const root = await realpath(folder);
  for (const [i, file] of files.entries()) {
    progress(i, files.length, `verifying ${file.path}`);
    await checkFile(root, file);
  }
  if (store === 'sqlite') checkStore(join(root, backupNames.store), manifest);
  return manifest;
}
