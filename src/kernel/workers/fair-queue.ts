import type { TenantId } from '../call.ts';

interface JobPromise {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface QueuedJob {
  readonly task: string;
  readonly input: unknown;
  readonly tenant: TenantId;
  readonly wallMs: number;
  readonly cpuMs: number | undefined;
  readonly what: string;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Listens to the caller's signal until the job is done. */
export function createQueuedJob(
  facts: Omit<QueuedJob, keyof JobPromise>,
  promised: JobPromise,
  signal: AbortSignal | undefined,
  cancel: (job: QueuedJob) => void,
): QueuedJob {
  const onAbort = () => cancel(job);
  const job: QueuedJob = {
    ...facts,
    resolve(value) {
      signal?.removeEventListener('abort', onAbort);
      promised.resolve(value);
    },
    reject(error) {
      signal?.removeEventListener('abort', onAbort);
      promised.reject(error);
    },
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  return job;
}

export interface TenantItem {
  readonly tenant: TenantId;
}

export interface FairQueue<T extends TenantItem> {
  readonly size: number;
  /** False if the queue is full, for this tenant or in total. */
  push(item: T): boolean;
  /** The oldest item of the next tenant. */
  shift(): T | undefined;
  remove(item: T): void;
}

/**
 * A queue in which tenants take turns: a tenant with a hundred jobs delays the first job of another by one job only.
 */
export function createFairQueue<T extends TenantItem>(limits: { total: number; perTenant: number }): FairQueue<T> {
  // A Map keeps the insertion order: the first lane is next.
  const lanes = new Map<TenantId, T[]>();
  let size = 0;

  return {
    get size() {
      return size;
    },
    push(item) {
      const lane = lanes.get(item.tenant) ?? [];
      if (size >= limits.total || lane.length >= limits.perTenant) return false;
      lane.push(item);
      lanes.set(item.tenant, lane);
      size += 1;
      return true;
    },
    shift() {
      const next = lanes.entries().next().value;
      if (next === undefined) return undefined;
      const [tenant, lane] = next;
      lanes.delete(tenant);
      const item = lane.shift();
      if (lane.length > 0) lanes.set(tenant, lane);
      size -= 1;
      return item;
    },
    remove(item) {
      const lane = lanes.get(item.tenant);
      const index = lane?.indexOf(item) ?? -1;
      if (lane === undefined || index === -1) return;
      lane.splice(index, 1);
      if (lane.length === 0) lanes.delete(item.tenant);
      size -= 1;
    },
  };
}
