import { join } from 'node:path';
import type { Settings } from '#config/settings.ts';
import type { FileServer } from '#domains/truth/files/files-deps.ts';
import type { Truth } from '#domains/truth/truth.ts';
import type { TruthDeps } from '#domains/truth/truth-deps.ts';
import type { TenantId } from '#kernel/call.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import type { Keys } from '#kernel/keys/keys.ts';
import type { LazyStorage } from '#kernel/storage/lazy-storage.ts';
import { homeNames } from './admin/home-layout.ts';
import type { Search } from './search.ts';

export interface TruthParts extends TruthDeps {
  readonly storage: LazyStorage;
  readonly settings: Settings;
  readonly search: Pick<Search, 'keyword' | 'semantic' | 'register'>;
  readonly keys: () => Keys;
  readonly cursors: () => Cursors;
  /** Folders whose files may be read. */
  readonly fileRoots: readonly string[];
  readonly fileServer: FileServer;
}

export interface ComposedTruth extends Truth {
  /** What files need done when nobody asks for it. `tenants`: everyone who may have some. */
  jobs(tenants: () => Promise<readonly TenantId[]>): readonly PeriodicJob[];
  close(): Promise<void>;
}

/** Puts the memory together when the first of its tools is called. */
export async function composeTruth(parts: TruthParts): Promise<ComposedTruth> {
  const { settings, search, keys, cursors, fileRoots, fileServer, ...rest } = parts;
  const [
    { toTruthStorage },
    { createCapabilities },
    { createSchemas },
    { createPayloads },
    { createEntities },
    { createTimeline },
    { createMerges },
    { createRelationships },
    { createRecords },
    { recordDocuments },
    { createFiles },
    { createFileJobs },
    { createFolderStore },
    { createExtractWorkers },
    { createAllowedRoots },
    { createTruthTransfer },
  ] = await Promise.all([
    import('#domains/truth/truth-storage.ts'),
    import('#domains/truth/capabilities/capabilities.ts'),
    import('#domains/truth/schemas/schemas.ts'),
    import('#domains/truth/payloads/payloads.ts'),
    import('#domains/truth/entities/entities.ts'),
    import('#domains/truth/timeline/timeline.ts'),
    import('#domains/truth/merges/merges.ts'),
    import('#domains/truth/relationships/relationships.ts'),
    import('#domains/truth/records/records.ts'),
    import('#domains/truth/records/documents.ts'),
    import('#domains/truth/files/files.ts'),
    import('#domains/truth/files/jobs.ts'),
    import('#domains/truth/files/file-store.ts'),
    import('./extract-workers.ts'),
    import('#kernel/paths/allowed-roots.ts'),
    import('./truth-transfer.ts'),
  ]);
  const storage = toTruthStorage(rest.storage);
  const schemas = createSchemas({ storage });
  const capabilities = createCapabilities({ storage });
  const deps = { ...rest, storage, schemas, capabilities };
  const records = createRecords({ ...deps, search: search.keyword, meaning: search.semantic });
  search.register(recordDocuments);
  const workers = createExtractWorkers();
  const files = createFiles({
    ...deps,
    records,
    workers,
    store: createFolderStore(join(settings.home, homeNames.blobs)),
    roots: createAllowedRoots({ roots: fileRoots, forbidden: [settings.home] }),
    signingKey: keys().derive('signed-files'),
    server: fileServer,
  });

  const payloads = createPayloads(deps);

  return {
    capabilities,
    schemas,
    records,
    payloads,
    transfer: createTruthTransfer({ clock: rest.clock, storage: rest.storage, truth: { schemas, records, payloads } }),
    entities: createEntities(deps),
    timeline: createTimeline(deps),
    merges: createMerges({ ...deps, cursors: cursors() }),
    relationships: createRelationships(deps),
    files,
    jobs: (tenants) => createFileJobs(files, tenants),
    close: () => workers.close(),
  };
}
