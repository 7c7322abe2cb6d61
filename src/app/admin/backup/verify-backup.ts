import { lstat, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type Migration, schemaVersion } from '#kernel/storage/migration.ts';
import { inspectStore } from '#kernel/storage/sqlite/inspect.ts';
import { adminFaults } from '../admin-faults.ts';
import { hashFile } from '../durable-files.ts';
import { ifMissing } from '../file-faults.ts';
import type { AdminProgress } from '../operator-call.ts';
import { backupNames, type Manifest, readManifest } from './manifest.ts';

const refuse = (why: string) => adminFaults.BACKUP_DAMAGED({ why });

type ListedFile = Manifest['body']['files'][number];

/** Links are rejected: they could point to any file on this machine. */
async function checkFile(root: string, { path, bytes, sha256 }: ListedFile): Promise<void> {
  const file = join(root, path);
  const found = await lstat(file).catch(ifMissing(undefined));
  if (found === undefined) throw refuse(`${path} is missing`);
  if (!found.isFile() || (await realpath(file)) !== file.replaceAll('/', sep))
    throw refuse(`${path} is not a regular file`);
  if (found.size !== bytes) throw refuse(`${path} has ${found.size} bytes instead of ${bytes}`);
  if ((await hashFile(file)).sha256 !== sha256) throw refuse(`${path} was changed: its SHA-256 differs`);
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

/** Checks every byte of a backup and that this program can restore it. */
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
  if (paths.has(backupNames.store) !== (store === 'sqlite')) throw refuse('the manifest and the store do not match');
  if (paths.has(backupNames.key) !== withKeys) throw refuse('the manifest and the keys do not match');
  const root = await realpath(folder);
  for (const [i, file] of files.entries()) {
    progress(i, files.length, `verifying ${file.path}`);
    await checkFile(root, file);
  }
  if (store === 'sqlite') checkStore(join(root, backupNames.store), manifest);
  return manifest;
}
