import type { TenantId } from '../call.ts';
import type { Log } from '../log/log.ts';
import type { Change, Storage, Topic } from './port.ts';
import { type Sql, sql } from './sql.ts';

export const versionQuery = (tenant: TenantId, topic: Topic | undefined): Sql<{ readonly seq: number | null }> =>
  topic === undefined
    ? sql`select max(seq) as seq from changes where tenant = ${tenant}`
    : sql`select max(seq) as seq from changes where tenant = ${tenant} and topic = ${topic}`;

export const changesQuery = (tenant: TenantId, topic: Topic | undefined, seq: number, limit: number): Sql<Change> =>
  topic === undefined
    ? sql`select seq, topic, id, what, hash from changes where tenant = ${tenant} and seq > ${seq} order by seq limit ${limit}`
    : sql`
        select seq, topic, id, what, hash from changes
        where tenant = ${tenant} and topic = ${topic} and seq > ${seq} order by seq limit ${limit}`;

/** Delivers the changes of a tenant as they are committed, by this process or another. */
export interface ChangeFeed {
  subscribe(tenant: TenantId, listener: (change: Change) => void): () => void;
  /** For a client that reconnects. */
  since(tenant: TenantId, seq: number, limit: number): Promise<readonly Change[]>;
  close(): void;
}

interface Follower {
  readonly listeners: Set<(change: Change) => void>;
  seq: number | undefined;
  isReading: boolean;
  isStale: boolean;
}

const pageCount = 500;
/**
 * Delay between a commit and reading its changes, so that a series of writes is not slowed down by a read after each.
 */
const gatherMs = 5;

export function createChangeFeed(storage: Storage, log: Log): ChangeFeed {
  const followers = new Map<TenantId, Follower>();
  let unwatch: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function deliver(follower: Follower, change: Change): void {
    for (const listener of follower.listeners) listener(change);
  }

  async function readOn(tenant: TenantId, follower: Follower): Promise<void> {
    if (follower.seq === undefined) {
      follower.seq = await storage.version(tenant, undefined);
      return;
    }
    for (;;) {
      const page = await storage.changesSince(tenant, undefined, follower.seq, pageCount);
      for (const change of page) {
        follower.seq = change.seq;
        deliver(follower, change);
      }
      if (page.length < pageCount) return;
    }
  }

  /** At most one read per tenant runs at a time. A wake-up during a read causes another one. */
  async function follow(tenant: TenantId, follower: Follower): Promise<void> {
    follower.isStale = true;
    if (follower.isReading) return;
    follower.isReading = true;
    try {
      while (follower.isStale) {
        follower.isStale = false;
        await readOn(tenant, follower);
      }
    } catch (error) {
      log.warn({ reason: String(error) }, 'could not read the change log; will retry at the next change');
    } finally {
      follower.isReading = false;
    }
  }

  function wake(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const [tenant, follower] of followers) void follow(tenant, follower);
    }, gatherMs);
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    unwatch?.();
    unwatch = undefined;
  }

  return {
    subscribe(tenant, listener) {
      let follower = followers.get(tenant);
      if (follower === undefined) {
        follower = { listeners: new Set(), seq: undefined, isReading: false, isStale: false };
        followers.set(tenant, follower);
        void follow(tenant, follower);
      }
      follower.listeners.add(listener);
      unwatch ??= storage.watch(wake);
      return () => {
        follower.listeners.delete(listener);
        if (follower.listeners.size > 0) return;
        followers.delete(tenant);
        if (followers.size === 0) stop();
      };
    },
    since: (tenant, seq, limit) => storage.changesSince(tenant, undefined, seq, limit),
    close() {
      followers.clear();
      stop();
    },
  };
}
