import { join } from 'node:path';
import type { Keys } from '#kernel/keys/keys.ts';
import { createOnDemandStorage, type OnDemandStorage } from '#kernel/storage/on-demand-storage.ts';
import type { StorageOptions } from '#kernel/storage/port.ts';
import { postgresCapabilities } from '#kernel/storage/postgres/capabilities.ts';
import { sqliteCapabilities } from '#kernel/storage/sqlite/capabilities.ts';

export const storeFile = (home: string): string => join(home, 'fourfold.db');

export interface StorePlace {
  readonly home: string;
  readonly databaseUrl?: string | undefined;
}

export const auditKeyOf = (keys: Keys): Buffer => keys.derive('audit');

/** The engine's driver is loaded, and the store opened, when something first asks for it. */
export function openStorage(
  place: StorePlace,
  options: Omit<StorageOptions, 'migrations' | 'auditKey'>,
  keys: () => Keys,
): OnDemandStorage {
  const whole = async (): Promise<StorageOptions> => {
    const { migrations } = await import('#migrations/all.ts');
    return { ...options, migrations, auditKey: auditKeyOf(keys()) };
  };
  const { home, databaseUrl } = place;
  if (databaseUrl === undefined) {
    return createOnDemandStorage(sqliteCapabilities, async () => {
      const { openSqliteWithRetry: openSqlitePatiently } = await import('#kernel/storage/sqlite/open.ts');
      return openSqlitePatiently({ ...(await whole()), file: storeFile(home) });
    });
  }
  return createOnDemandStorage(postgresCapabilities, async () => {
    const { openPostgres } = await import('#kernel/storage/postgres/open.ts');
    return openPostgres({ ...(await whole()), url: databaseUrl });
  });
}

/** For looking at a database without making anything: no migration, no key file. What is read needs no key. */
export const openToLook = (
  databaseUrl: string,
  options: Omit<StorageOptions, 'migrations' | 'auditKey'>,
): OnDemandStorage =>
  createOnDemandStorage(postgresCapabilities, async () => {
    const [{ openPostgres }, { migrations }] = await Promise.all([
      import('#kernel/storage/postgres/open.ts'),
      import('#migrations/all.ts'),
    ]);
    return openPostgres({ ...options, migrations, auditKey: Buffer.alloc(0), url: databaseUrl, inspectOnly: true });
  });
