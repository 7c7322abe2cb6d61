import type { Settings } from '#config/settings.ts';
import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Collection } from '#kernel/search/collection.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { RegexRunner } from '#kernel/workers/regex-runner.ts';
import type { CollectionProgress } from './embedding-metrics.ts';
import { warnOfMissingModel } from './missing-model.ts';
import { openOutbound } from './open-outbound.ts';
import { readSecretFile } from './secret-file.ts';

export interface SearchParts {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** All tenants that may have pending documents. */
  readonly tenants: () => Promise<readonly TenantId[]>;
  /** The process exits after one call, so nothing can be embedded in the background. */
  readonly isOneShot: boolean;
}

/** The searches that all memories share. */
export interface Search {
  readonly keyword: SearchIndex;
  readonly semantic: SemanticSearch;
  readonly regex: RegexRunner;
  /** Includes the collection in `progress` and `maintain`. */
  register(collection: Collection): void;
  /** How many documents of a tenant are embedded and how many are pending, per collection. */
  progress(tenant: TenantId): Promise<readonly CollectionProgress[]>;
  /** How many documents of a tenant have no vector yet. Counts only up to a limit. */
  waiting(call: Call): Promise<{ readonly count: number; readonly isMore: boolean }>;
  /** Merges and sweeps the keyword indexes of a tenant. */
  maintain(tenant: TenantId): Promise<void>;
  close(): Promise<void>;
}

/** Called when the first memory that searches is used. */
export async function composeSearch(parts: SearchParts): Promise<Search> {
  const { settings, storage, clock, ids, log, tenants, isOneShot } = parts;
  const [
    { createSearchIndex },
    { createSemanticSearch },
    { embedBeforeSearch },
    { searchLimits },
    { openEmbedder },
    { createLeases },
    { createWorkers },
    { poolEntry },
    { createRegexRunner },
  ] = await Promise.all([
    import('#kernel/search/search-index.ts'),
    import('#kernel/search/semantic/create-semantic-search.ts'),
    import('#kernel/search/semantic/catch-up.ts'),
    import('#kernel/search/search-limits.ts'),
    import('#kernel/embed/open-embedder.ts'),
    import('#kernel/jobs/leases.ts'),
    import('#kernel/workers/workers.ts'),
    import('#kernel/workers/pool-entry.ts'),
    import('#kernel/workers/regex-runner.ts'),
  ]);
  const { semanticSearch, embeddingModel, embeddingBatchSize, embeddingUrl, embeddingKeyFile } = settings;
  const key = readSecretFile('embeddingKeyFile', embeddingKeyFile);
  const outbound = embeddingUrl === undefined ? undefined : await openOutbound(embeddingUrl);

  const leases = createLeases({ storage, clock, ids });
  const keyword = createSearchIndex({ storage, leases, clock, ids, log });
  const workers = createWorkers({ entry: poolEntry });
  const background = createSemanticSearch({
    storage,
    leases,
    clock,
    ids,
    log,
    tenants,
    async embedder() {
      const opened = await openEmbedder(
        {
          isOn: semanticSearch,
          model: embeddingModel,
          batchCount: embeddingBatchSize,
          ...(embeddingUrl === undefined ? {} : { url: embeddingUrl }),
          ...(key === undefined ? {} : { key }),
        },
        {
          outbound() {
            if (outbound === undefined) throw new Error('bug: an embedding service is called, but none is configured');
            return outbound;
          },
        },
      );
      return warnOfMissingModel(opened, settings, log);
    },
  });
  const semantic = isOneShot ? embedBeforeSearch(background, searchLimits.catchUpMs) : background;
  const collections = new Set<Collection>();

  return {
    keyword,
    semantic,
    regex: createRegexRunner(workers),
    register: (collection) => void collections.add(collection),
    async progress(tenant) {
      const all: CollectionProgress[] = [];
      for (const collection of collections) {
        const { embedded, pending } = await semantic.progress(systemCall('metrics', { tenant }), collection);
        all.push({ collection: collection.name, embedded, pending });
      }
      return all;
    },
    async waiting(call) {
      let count = 0;
      let isMore = false;
      for (const collection of collections) {
        const found = await semantic.waiting(call, collection);
        count += found.count;
        isMore ||= found.isMore;
      }
      return { count, isMore };
    },
    async maintain(tenant) {
      for (const collection of collections) await keyword.maintain(tenant, collection);
    },
    async close() {
      await semantic.close();
      await keyword.close();
      await workers.close();
    },
  };
}
