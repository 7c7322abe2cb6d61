import type { Call, TenantId } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { PeriodicJob } from '#kernel/jobs/jobs.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { forEachTenant, listTenants } from '#kernel/jobs/tenants.ts';
import type { SearchIndex } from '#kernel/search/search-index.ts';
import { purgeGone } from '#kernel/search/semantic/purge-vectors.ts';
import type { SemanticSearch } from '#kernel/search/semantic/semantic-search.ts';
import { listEntityTotals } from '../entities/entity-store.ts';
import { entityDocuments as entityCollection } from '../entities/search/entity-collection.ts';
import type { EntityDocuments } from '../entities/search/entity-documents.ts';
import type { FileBlobs } from '../files/file-blobs.ts';
import { recordDocuments } from '../records/record-documents.ts';
import { embeddingCollection } from '../records/record-embeddings.ts';
import type { TruthDeps } from '../truth-deps.ts';
import { completeForgettings, countFiles, type ForgettingRow, finishWork, listPending } from './certificate-store.ts';
import { forgettingLimits } from './forgetting-limits.ts';

export interface FinishDeps extends Pick<TruthDeps, 'storage' | 'log' | 'clock'> {
  readonly search: Pick<SearchIndex, 'purge'>;
  readonly meaning: Pick<SemanticSearch, 'settle'>;
  readonly entityDocuments: Pick<EntityDocuments, 'purge'>;
  readonly blobs: Pick<FileBlobs, 'remove'>;
}

interface LeftWork {
  readonly sha256s: readonly string[];
}

const pendingCount = 1_000;

/** After the commit: bytes of files, the search index and the files of the store. Every step can be repeated. */
export function createFinish(deps: FinishDeps) {
  const { storage, log, search, meaning, entityDocuments, blobs } = deps;

  const toCall = (tenant: TenantId, signal?: AbortSignal): Call =>
    systemCall('truth/forget', {
      tenant,
      ...(signal === undefined ? {} : { signal }),
      deadlineAt: Number.POSITIVE_INFINITY,
    });

  async function removeBytes(call: Call, rows: readonly ForgettingRow[]): Promise<void> {
    for (const { work } of rows) {
      for (const sha256 of work === null ? [] : (JSON.parse(work) as LeftWork).sha256s) {
        const users = await storage.read(call, (db) => countFiles(db, sha256));
        if ((users?.count ?? 0) === 0) await blobs.remove(call.tenant, sha256);
      }
    }
  }

  async function rewriteIndexes(call: Call): Promise<void> {
    await entityDocuments.purge(call);
    await search.purge(call, recordDocuments);
    // Without an embedder nothing is pending.
    await meaning.settle(call.tenant).catch(() => {});
    await storage.write(call, function* (db) {
      for (const { name } of [entityCollection, recordDocuments, embeddingCollection]) yield* purgeGone(db, name);
    });
  }

  /** Everything but the bytes of the store. Returns the time of the newest pending forgetting. */
  async function finishPending(call: Call): Promise<number | undefined> {
    const rows = await storage.read(call, (db) => listPending(db, pendingCount));
    const unfinished = rows.filter(({ work }) => work !== null);
    if (unfinished.length > 0) {
      await removeBytes(call, unfinished);
      await rewriteIndexes(call);
      await storage.write(call, function* (db) {
        for (const { certificate_id } of unfinished) yield* finishWork(db, certificate_id);
      });
    }
    return rows.at(-1)?.forgotten_at;
  }

  const complete = (call: Call, upTo: number) => storage.write(call, (db) => completeForgettings(db, upTo));

  /** Returns false if something is left for the next time. */
  async function now(tenant: TenantId, signal?: AbortSignal): Promise<boolean> {
    const call = toCall(tenant, signal);
    const upTo = await finishPending(call);
    if (upTo === undefined) return true;
    if (!(await storage.purge())) return false;
    await complete(call, upTo);
    return true;
  }

  /** Of all tenants, because the store is written again for all of them. Returns how many forgettings it completed. */
  async function purgeAll({ signal }: Call): Promise<number> {
    const pending: { readonly call: Call; readonly upTo: number }[] = [];
    for (const tenant of await listTenants(storage)) {
      const call = toCall(tenant, signal);
      const upTo = await finishPending(call);
      if (upTo !== undefined) pending.push({ call, upTo });
    }
    if (pending.length === 0) return 0;
    if (!(await storage.purge({ rewrite: true }))) throw faults.STORE_BUSY();
    let count = 0;
    for (const { call, upTo } of pending) count += await complete(call, upTo);
    return count;
  }

  return {
    now,
    purgeAll,
    /** In small stores with the call itself. A failure is not one of the call: the job repeats it. */
    async soon(call: Call): Promise<void> {
      try {
        const totals = await storage.read(call, (db) => listEntityTotals(db));
        const count = totals.reduce((sum, row) => sum + row.count, 0);
        if (count <= forgettingLimits.finishedNowEntitiesCount) await now(call.tenant);
      } catch (error) {
        const reason = error instanceof Fault ? error.code : String(error);
        log.warn({ reason }, 'a forgetting could not be finished now; a job will do it');
      }
    },
  };
}

export const createForgettingJob = (
  finish: (tenant: TenantId, signal: AbortSignal) => Promise<boolean>,
  tenants: () => Promise<readonly TenantId[]>,
): PeriodicJob => ({
  name: 'finish-forgetting',
  everyMs: forgettingLimits.finishEveryMs,
  run: forEachTenant(tenants, async (tenant, signal) => void (await finish(tenant, signal))),
});
