import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type Call, type TenantId, toTenantId } from '../../call.ts';
import { systemClock } from '../../clock/clock.ts';
import { createIds } from '../../ids/ids.ts';
import type { Leases } from '../../jobs/leases.ts';
import { createLogFixture } from '../../log/log.ts';
import type { Reader, Step, Storage } from '../../storage/port.ts';
import { type Sql, sql } from '../../storage/sql.ts';
import type { SearchQuery } from '../answer-search.ts';
import { defineCollection, type SearchDocument } from '../collection.ts';
import { createLocalLeases } from '../leases.fixture.ts';
import { createSearchIndex, type SearchIndex } from '../search-index.ts';
import type { Tuning } from '../search-limits.ts';

export const pages = defineCollection({ name: 'pages', fields: { title: 3, body: 1 }, title: 'title' });
export type Page = SearchDocument<'title' | 'body'>;

export const page = (id: string, body: string, facets?: Page['facets']): Page => ({
  id,
  fields: { title: `Page ${id}`, body },
  ...(facets === undefined ? {} : { facets }),
});

/** Small enough for a handful of documents to go through every kind of merge. */
export const tiny: Partial<Tuning> = {
  tailEntriesCount: 4,
  mergeWidthCount: 3,
  smallestSegmentBytes: 4_096,
  chunkBytes: 1_000,
  segmentBatchCount: 3,
  rebuiltBatchCount: 3,
};

export interface SearchIndexFixture {
  readonly call: Call;
  readonly storage: Storage;
  readonly index: SearchIndex;
  readonly log: ReturnType<typeof createLogFixture>;
  /** Another process, by default on the same store. */
  openOther(options?: { storage?: Storage; leases?: Leases; tuning?: Partial<Tuning> }): SearchIndex;
  put(...documents: Page[]): Promise<void>;
  remove(...ids: string[]): Promise<void>;
  find(text: string, query?: Partial<SearchQuery>): Promise<readonly string[]>;
  count(query: Sql<{ readonly n: number }>): Promise<number>;
}

const callOf = (tenant: TenantId): Call => ({
  tenant,
  actor: 'tester',
  scopes: new Set(['write']),
  tool: 'search/contract',
  audit: 'none',
  signal: new AbortController().signal,
  deadlineAt: Number.MAX_SAFE_INTEGER,
  progress() {},
});

/** Opens an index with a new tenant, in `shared` if given. */
export type OpenSearchIndexFixture = (tuning?: Partial<Tuning>, shared?: Storage) => Promise<SearchIndexFixture>;

export const createSearchIndexFixtures =
  (open: () => Promise<Storage>): OpenSearchIndexFixture =>
  async (tuning = {}, shared) => {
    const storage = shared ?? (await open());
    const leases = createLocalLeases();
    const log = createLogFixture();
    const call = callOf(toTenantId(`tenant-${randomUUID()}`));
    const openOther: SearchIndexFixture['openOther'] = (options = {}) => {
      const index = createSearchIndex({
        storage,
        leases,
        clock: systemClock,
        ids: createIds(systemClock),
        log,
        tuning,
        ...options,
      });
      onTestFinished(() => index.close());
      return index;
    };
    const index = openOther();
    return {
      call,
      storage,
      index,
      log,
      openOther,
      put: (...documents) =>
        storage.write(call, function* (db) {
          yield* index.put(db, pages, ...documents);
        }),
      remove: (...ids) =>
        storage.write(call, function* (db) {
          yield* index.remove(db, pages, ...ids);
        }),
      find: async (text, query = {}) => {
        const { hits } = await index.search(call, pages, { text, limit: 100, ...query });
        return hits.map(({ id }) => id);
      },
      count: async (query) =>
        storage.read(call, function* (db) {
          return (yield* db.get(query))!.n;
        }),
    };
  };

export const rowCount = (tenant: TenantId) =>
  sql<{ readonly n: number }>`select count(*) as n from search_rows where tenant = ${tenant}`;
export const chunkCount = (tenant: TenantId) =>
  sql<{ readonly n: number }>`select count(*) as n from search_chunks where tenant = ${tenant}`;
export const segmentCount = (tenant: TenantId, state: string) =>
  sql<{
    readonly n: number;
  }>`select count(*) as n from search_segments where tenant = ${tenant} and state = ${state}`;

/** The real store; reports how many rows each read of a table returned. */
export function watchReads(storage: Storage, table: string, tell: (count: number) => void): Storage {
  function counted<T>(query: Sql, step: Step<T>): Step<T> {
    if (!query.parts.join('').includes(`from ${table}`)) return step;
    return {
      *[Symbol.iterator]() {
        const found = yield* step;
        tell(Array.isArray(found) ? found.length : 1);
        return found;
      },
    };
  }
  const watched = (db: Reader): Reader => ({
    tenant: db.tenant,
    now: db.now,
    get: (query) => counted(query, db.get(query)),
    all: (query) => counted(query, db.all(query)),
  });
  return { ...storage, read: (call, work) => storage.read(call, (db) => work(watched(db))) };
}

/** The real store in a process that dies after `allowed` writes. */
export function failAfter(storage: Storage, allowed: number): Storage {
  let count = 0;
  return {
    ...storage,
    write(call, work) {
      count += 1;
      return count > allowed ? Promise.reject(new Error('the process is gone')) : storage.write(call, work);
    },
  };
}
