import { readFileSync } from 'node:fs';
import type { Settings } from '#config/settings.ts';
import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
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

export interface SearchParts {
  readonly settings: Settings;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Everyone who may have documents that wait to be embedded. */
  readonly tenants: () => Promise<readonly TenantId[]>;
  /** The process ends with its answer, so that nothing happens in the background. */
  readonly isOneShot: boolean;
}

/** What finds things, by words, by pattern and by meaning: one for all memories. */
export interface Search {
  readonly search: SearchIndex;
  readonly semantic: SemanticSearch;
  readonly regex: RegexRunner;
  /** Tells which indexes there are to look after. */
  uses(collection: Collection): void;
  /** How far the documents of a tenant are that are to be found by meaning. */
  progress(tenant: TenantId): Promise<readonly CollectionProgress[]>;
  /** Looks after the indexes of a tenant. */
  upkeep(tenant: TenantId): Promise<void>;
  close(): Promise<void>;
}

function readKey(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw faults.CONFIG_ERROR({ why: `embeddingKeyFile cannot be read: ${(error as Error).message}` });
  }
}

/** Made when the first memory that searches is used. */
export async function composeSearch(parts: SearchParts): Promise<Search> {
  const { settings, storage, clock, ids, log, tenants, isOneShot } = parts;
  const [
    { createSearchIndex },
    { createSemanticSearch: createMeaning },
    { embedBeforeSearch: catchUpFirst },
    { searchLimits },
    { openEmbedder },
    { createLeases },
    { createWorkers },
    { poolEntry },
    { createRegexRunner: createPatterns },
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
  const key = readKey(embeddingKeyFile);
  const outbound =
    embeddingUrl === undefined
      ? undefined
      : // Whoever runs the server chose this address; it may well be on this machine.
        (await import('#kernel/outbound/outbound.ts')).createOutbound({ allow: [new URL(embeddingUrl).hostname] });

  const leases = createLeases({ storage, clock, ids });
  const search = createSearchIndex({ storage, leases, clock, ids, log });
  const workers = createWorkers({ entry: poolEntry });
  const made = createMeaning({
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
            if (outbound === undefined) throw new Error('bug: a service is called and none is set');
            return outbound;
          },
        },
      );
      return warnOfMissingModel(opened, settings, log);
    },
  });
  const meaning = isOneShot ? catchUpFirst(made, searchLimits.catchUpMs) : made;
  const collections = new Set<Collection>();

  return {
    search,
    semantic: meaning,
    regex: createPatterns(workers),
    uses: (collection) => void collections.add(collection),
    async progress(tenant) {
      const told: CollectionProgress[] = [];
      for (const collection of collections) {
        const { embedded, pending } = await meaning.progress(systemCall('metrics', { tenant }), collection);
        told.push({ collection: collection.name, embedded, pending });
      }
      return told;
    },
    async upkeep(tenant) {
      for (const collection of collections) await search.maintain(tenant, collection);
    },
    async close() {
      await meaning.close();
      await search.close();
      await workers.close();
    },
  };
}
