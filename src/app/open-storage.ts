import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { localTenant, type TenantId } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import { createOnDemandStorage, type OnDemandStorage } from '#kernel/storage/on-demand-storage.ts';
import type { Storage, StorageOptions } from '#kernel/storage/port.ts';
import { postgresCapabilities } from '#kernel/storage/postgres/capabilities.ts';
import { sqliteCapabilities } from '#kernel/storage/sqlite/capabilities.ts';

/** Reports no paths or addresses: anyone may call it. */
export async function checkReady(storage: Storage, isReadOnly: boolean) {
  try {
    await storage.version(localTenant, undefined);
    if (isReadOnly) return { ok: true, checks: { store: 'ok', writes: 'off: started with --read-only' } };
    const problem = await storage.writeProblem();
    return { ok: problem === undefined, checks: { store: 'ok', writes: problem ?? 'ok' } };
  } catch {
    return { ok: false, checks: { store: 'not available' } };
  }
}

/** Why writes fail; undefined if they work, are not wanted, or the store was not opened yet. */
export async function findStoreProblem(storage: OnDemandStorage, isReadOnly: boolean): Promise<string | undefined> {
  if (isReadOnly) return undefined;
  const opened = await storage.peek().catch(() => undefined);
  return opened?.writeProblem().catch(() => 'it is not available');
}

/** Undefined if the store was not opened yet. */
export async function findPoolUsage(storage: OnDemandStorage): Promise<number | undefined> {
  const opened = await storage.peek().catch(() => undefined);
  return opened && (opened.poolUsage?.() ?? 0);
}

export const storeMetrics = (findProblem: () => Promise<string | undefined>) => [
  {
    name: 'fourfold_store_writable',
    help: '1 if the store accepts writes, otherwise 0.',
    kind: 'gauge' as const,
    read: async () => new Map([['', (await findProblem()) === undefined ? 1 : 0]]),
  },
  {
    name: 'fourfold_store_problem',
    help: '1 for the reason why the store does not accept writes.',
    kind: 'gauge' as const,
    label: 'reason',
    async read() {
      const problem = await findProblem();
      return new Map(problem === undefined ? [] : [[problem, 1]]);
    },
  },
];

export function createDataFolder(home: string): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw faults.STORE_UNAVAILABLE({ why: `the data folder ${home} cannot be created (${(error as Error).message})` });
  }
}

export const storeFile = (home: string): string => join(home, 'fourfold.db');

export interface StoreLocation {
  readonly home: string;
  readonly databaseUrl?: string | undefined;
}

export const auditKeyOf = (keys: Keys): Buffer => keys.derive('audit');

/** Loads the driver and opens the store at the first access. `onWrite` gets the tenant of every audited write. */
export function openStorage(
  place: StoreLocation,
  options: Omit<StorageOptions, 'migrations' | 'auditKey'>,
  keys: () => Keys,
  onWrite: (tenant: TenantId) => void = () => {},
): OnDemandStorage {
  const observed = (storage: Storage): Storage => ({
    ...storage,
    write(call, work) {
      if (call.audit === 'row') onWrite(call.tenant);
      return storage.write(call, work);
    },
  });
  const whole = async (): Promise<StorageOptions> => {
    const { migrations } = await import('#migrations/all.ts');
    return { ...options, migrations, auditKey: auditKeyOf(keys()) };
  };
  const { home, databaseUrl } = place;
  if (databaseUrl === undefined) {
    return createOnDemandStorage(sqliteCapabilities, async () => {
      const { openSqliteWithRetry: openSqlitePatiently } = await import('#kernel/storage/sqlite/open.ts');
      return observed(await openSqlitePatiently({ ...(await whole()), file: storeFile(home) }));
    });
  }
  return createOnDemandStorage(postgresCapabilities, async () => {
    const { openPostgres } = await import('#kernel/storage/postgres/open.ts');
    return observed(await openPostgres({ ...(await whole()), url: databaseUrl }));
  });
}

/** Opens a database for inspection: runs no migration and creates no key file. Reading needs no key. */
export const openWithoutMigrating = (
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
