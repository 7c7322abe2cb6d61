import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLog } from '#kernel/log/log.ts';
import type { Storage, StorageOptions } from '#kernel/storage/port.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';

/** A copy of the store as it is now, in `folder`, for as long as the work takes: what it reads page by page is one state. */
export async function withSnapshot<T>(
  backupTo: NonNullable<Storage['backupTo']>,
  { migrations, clock }: Pick<StorageOptions, 'migrations' | 'clock'>,
  folder: string,
  work: (snapshot: Storage) => Promise<T>,
): Promise<T> {
  const file = join(folder, 'snapshot.db');
  try {
    await backupTo(file);
    // Nothing is written to the copy, so no audit key is needed.
    const snapshot = openSqlite({ file, migrations, clock, log: silentLog, auditKey: new Uint8Array(32) });
    try {
      return await work(snapshot);
    } finally {
      await snapshot.close();
    }
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  }
}
