import { join } from 'node:path';
import type { Settings } from '#config/settings.ts';
import type { FileServer } from '#domains/truth/files/files.ts';
import type { Truth } from '#domains/truth/truth.ts';
import type { TruthDeps } from '#domains/truth/truth-deps.ts';
import { type TenantId, toTenantId } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import type { ShownRoots } from '#kernel/paths/allowed-roots.ts';
import type { OnDemandStorage } from '#kernel/storage/on-demand-storage.ts';
import { homeNames } from './admin/home-layout.ts';
import type { Search } from './search.ts';

export interface TruthParts extends TruthDeps {
  readonly storage: OnDemandStorage;
  readonly settings: Settings;
  readonly search: Pick<Search, 'keyword' | 'semantic' | 'register'>;
  readonly keys: () => Keys;
  readonly cursors: () => Cursors;
  readonly fileRoots: ShownRoots;
  readonly fileServer: FileServer;
}

export interface ComposedTruth extends Truth {
  /** Background jobs; `tenants` lists every tenant that may have some. */
  jobs(tenants: () => Promise<readonly TenantId[]>): readonly PeriodicJob[];
  close(): Promise<void>;
}

/** Loads the domain and creates the memory when the first of its tools is called. */
export async function composeTruth(parts: TruthParts): Promise<ComposedTruth> {
  const { settings, search, keys, cursors, fileRoots, fileServer, ...rest } = parts;
  const [
    { createTruth },
    { recordDocuments },
    { entityDocuments },
    { createIndexJobs },
    { createFileJobs },
    { createForgettingJob },
    { forgetReceipts },
    { createTombstoneFile, openTombstones, tombstoneKeyOf },
    { createRefreshJob },
    { openFileBlobs },
    { createExtractWorkers },
    { createAllowedRoots },
    { createTruthTransfer },
  ] = await Promise.all([
    import('#domains/truth/truth.ts'),
    import('#domains/truth/records/record-documents.ts'),
    import('#domains/truth/entities/search/entity-collection.ts'),
    import('#domains/truth/entities/search/index-jobs.ts'),
    import('#domains/truth/files/sweep-files.ts'),
    import('#domains/truth/forgetting/finish-forgetting.ts'),
    import('#domains/context/receipts/forget-receipts.ts'),
    import('./tombstone-file.ts'),
    import('#domains/truth/refresh-due.ts'),
    import('./file-blobs.ts'),
    import('./extract-workers.ts'),
    import('#kernel/paths/allowed-roots.ts'),
    import('./truth-transfer.ts'),
  ]);
  const workers = createExtractWorkers();
  const blobs = openFileBlobs(settings);
  const tombstoneKey = tombstoneKeyOf(keys());
  const tombstones = openTombstones(keys());
  const tombstoneCopy = createTombstoneFile(join(settings.home, homeNames.tombstones), tombstoneKey);
  const truth = createTruth({
    ...rest,
    search: search.keyword,
    meaning: search.semantic,
    cursors: cursors(),
    workers,
    blobs,
    roots: createAllowedRoots({ ...fileRoots, forbidden: [settings.home] }),
    signingKey: keys().derive('signed-files'),
    tombstones,
    tombstoneCopy,
    forgetElsewhere: [forgetReceipts],
    server: fileServer,
  });
  search.register(recordDocuments);
  search.register(entityDocuments);
  // Before anything is served: a store that was restored from an older copy forgets again.
  for (const [tenant, rows] of tombstoneCopy.read()) {
    const count = settings.readOnly ? 0 : await truth.forgetting.again(toTenantId(tenant), rows);
    if (count > 0) rest.log.warn({ tenant, count }, 'forgot again what an older copy of the store had brought back');
  }
  return {
    ...truth,
    transfer: createTruthTransfer({ clock: rest.clock, storage: rest.storage, fileBlobs: blobs, truth, tombstones }),
    jobs: (tenants) => [
      ...createFileJobs(truth.files, tenants),
      createRefreshJob(truth.refresh, tenants),
      createForgettingJob(truth.forgetting.finish, tenants),
      ...createIndexJobs(truth.entityDocuments, tenants),
    ],
    close: () => workers.close(),
  };
}
