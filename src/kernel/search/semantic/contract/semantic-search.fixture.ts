import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type Call, type TenantId, toTenantId } from '../../../call.ts';
import { systemClock } from '../../../clock/clock.ts';
import type { Embedder } from '../../../embed/embedder.ts';
import { createDebugEmbedder } from '../../../embed/embedder.ts';
import { createIds } from '../../../ids/ids.ts';
import type { Leases } from '../../../jobs/leases.ts';
import { createLeases } from '../../../jobs/leases.ts';
import { createLogFixture } from '../../../log/log.ts';
import type { Storage } from '../../../storage/port.ts';
import { type Sql, sql } from '../../../storage/sql.ts';
import { defineCollection, type Facets } from '../../collection.ts';
import { createSemanticSearch, type SemanticSearchDeps } from '../create-semantic-search.ts';
import type { SemanticSearch, SemanticSource, SemanticText } from '../semantic-search.ts';

export const papers = defineCollection({ name: 'papers', fields: { text: 1 } });

/** An embedder that counts, and that can be made to fail or to wait. */
export interface CountingEmbedder extends Embedder {
  readonly embedded: string[];
  queries: number;
  fails: Error | undefined;
  /** Runs before each batch of documents. */
  before: () => Promise<void>;
}

export function createCountingEmbedder(id = 'debug-hash-1'): CountingEmbedder {
  const inner = createDebugEmbedder();
  const counted: CountingEmbedder = {
    ...inner,
    id,
    embedded: [],
    queries: 0,
    fails: undefined,
    before: async () => {},
    async embed(texts, options) {
      if (counted.fails !== undefined) throw counted.fails;
      if (options.purpose === 'query') counted.queries += 1;
      else {
        await counted.before();
        counted.embedded.push(...texts);
      }
      return inner.embed(texts, options);
    },
  };
  return counted;
}

/** A new tenant whose documents are real rows of the store, written and noted in one transaction. */
export interface SemanticSearchFixture {
  readonly call: Call;
  readonly storage: Storage;
  readonly semantic: SemanticSearch;
  readonly embedder: CountingEmbedder;
  readonly log: ReturnType<typeof createLogFixture>;
  readonly leases: Leases;
  /** Another process on the same store. */
  openOther(options?: Partial<SemanticSearchDeps>): SemanticSearch;
  write(documents: Readonly<Record<string, string | SemanticText>>, by?: SemanticSearch): Promise<void>;
  erase(...ids: string[]): Promise<void>;
  find(text: string, by?: SemanticSearch): Promise<readonly string[]>;
  count(table: 'meaning_vectors' | 'meaning_tokens' | 'meaning_pending' | 'meaning_gone'): Promise<number>;
  run(query: Sql): Promise<number>;
}

const topic = 'meaning-paper';
const callOf = (tenant: TenantId): Call => ({
  tenant,
  actor: 'tester',
  scopes: new Set(['write']),
  tool: 'meaning/contract',
  audit: 'none',
  signal: new AbortController().signal,
  deadlineAt: Number.MAX_SAFE_INTEGER,
  progress() {},
});

/** The documents are kept in the trash, a table that exists anyway. */
const createSource = (
  storage: Storage,
  options: Pick<SemanticSource, 'isOnDemand' | 'keepsTokens'>,
): SemanticSource => ({
  ...options,
  texts: (call, ids) =>
    storage.read(call, function* (db) {
      const found = new Map<string, SemanticText>();
      for (const id of ids) {
        const row = yield* db.get(sql<{ document: string }>`
          select document from trash where tenant = ${db.tenant} and topic = ${topic} and id = ${id} and at = 0`);
        if (row !== undefined) found.set(id, JSON.parse(row.document) as SemanticText);
      }
      return found;
    }),
  ids: (call, after, limit) =>
    storage.read(call, function* (db) {
      const rows = yield* db.all(sql<{ id: string }>`
        select id from trash where tenant = ${db.tenant} and topic = ${topic} and id > ${after ?? ''}
        order by id limit ${limit}`);
      return rows.map(({ id }) => id);
    }),
});

const counts = {
  meaning_vectors: (tenant: string) =>
    sql<{ n: number }>`select count(*) as n from meaning_vectors where tenant = ${tenant}`,
  meaning_tokens: (tenant: string) =>
    sql<{ n: number }>`select count(*) as n from meaning_tokens where tenant = ${tenant}`,
  meaning_pending: (tenant: string) =>
    sql<{ n: number }>`select count(*) as n from meaning_pending where tenant = ${tenant}`,
  meaning_gone: (tenant: string) => sql<{ n: number }>`select count(*) as n from meaning_gone where tenant = ${tenant}`,
};

export interface SemanticSearchFixtureOptions extends Partial<SemanticSearchDeps> {
  readonly isOnDemand?: boolean;
  readonly keepsTokens?: boolean;
}

export type OpenSemanticSearchFixture = (options?: SemanticSearchFixtureOptions) => Promise<SemanticSearchFixture>;

export const createSemanticSearchFixtures =
  (open: () => Promise<Storage>): OpenSemanticSearchFixture =>
  async ({ isOnDemand = false, keepsTokens = false, ...given } = {}) => {
    const storage = given.storage ?? (await open());
    const leases = given.leases ?? createLeases({ storage, clock: systemClock, ids: createIds(systemClock) });
    const log = createLogFixture();
    const embedder = createCountingEmbedder();
    const call = callOf(toTenantId(`tenant-${randomUUID()}`));
    const openOther: SemanticSearchFixture['openOther'] = (options = {}) => {
      const semantic = createSemanticSearch({
        storage,
        leases,
        clock: systemClock,
        ids: createIds(systemClock),
        log,
        embedder: async () => embedder,
        tenants: async () => [call.tenant],
        ...given,
        ...options,
      });
      semantic.provide(papers, createSource(options.storage ?? storage, { isOnDemand, keepsTokens }));
      onTestFinished(() => semantic.close());
      return semantic;
    };
    const semantic = openOther();
    const toText = (document: string | SemanticText): SemanticText =>
      typeof document === 'string' ? { text: document } : document;
    return {
      call,
      storage,
      semantic,
      embedder,
      log,
      leases,
      openOther,
      write: (documents, by = semantic) =>
        storage.write(call, function* (db) {
          for (const [id, document] of Object.entries(documents)) {
            yield* db.run(sql`
              insert into trash (tenant, topic, id, document, actor, at)
              values (${db.tenant}, ${topic}, ${id}, ${JSON.stringify(toText(document))}, 'tester', 0)
              on conflict (tenant, topic, id, at) do update set document = excluded.document`);
          }
          yield* by.note(db, papers, ...Object.keys(documents));
        }),
      erase: (...ids) =>
        storage.write(call, function* (db) {
          for (const id of ids) {
            yield* db.run(sql`delete from trash where tenant = ${db.tenant} and topic = ${topic} and id = ${id}`);
          }
          yield* semantic.forget(db, papers, ...ids);
        }),
      find: async (text, by = semantic) =>
        ((await by.nearest(call, papers, { text, limit: 100 }))?.hits ?? []).map(({ id }) => id),
      count: (table) =>
        storage.read(call, function* (db) {
          return (yield* db.get(counts[table](db.tenant)))!.n;
        }),
      run: (query) => storage.write(call, (db) => db.run(query)),
    };
  };

export const paper = (text: string, facets: Facets): SemanticText => ({ text, facets });

/** As if a write had not been noted. */
export const deletePending = (tenant: TenantId) => sql`delete from meaning_pending where tenant = ${tenant}`;
