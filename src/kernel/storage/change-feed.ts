import type { TenantId } from '../call.ts';
import type { Log } from '../log/log.ts';
import type { Change, Storage, Topic } from './port.ts';
import { type Sql, sql } from './sql.ts';

export const versionQuery = (tenant: TenantId, topic: Topic | undefined): Sql<{ readonly seq: number | null }> =>
  topic === undefined
    ? sql`select max(seq) as seq from changes where tenant = ${tenant}`
    : sql`select max(seq) as seq from changes where tenant = ${tenant} and topic = ${topic}`;

/** Without redacted rows, whose items are forgotten: the row of the forgetting follows them. */
export const changesQuery = (tenant: TenantId, topic: Topic | undefined, seq: number, limit: number): Sql<Change> =>
  topic === undefined
    ? sql`select seq, topic, id, what, hash from changes where tenant = ${tenant} and seq > ${seq} and id <> '' order by seq limit ${limit}`
    : sql`
        select seq, topic, id, what, hash from changes
        where tenant = ${tenant} and topic = ${topic} and seq > ${seq} and id <> '' order by seq limit ${limit}`;

/** Delivers the changes of a tenant as they are committed, by this process or another. */
export interface ChangeFeed {
  subscribe(tenant: TenantId, listener: (change: Change) => void): () => void;
  /** For a client that reconnects. */
  since(tenant: TenantId, seq: number, limit: number): Promise<readonly Change[]>;
  close(): void;
}

interface TenantFeed {
  readonly listeners: Set<(change: Change) => void>;
  seq: number | undefined;
  isReading: boolean;
  isStale: boolean;
}

const pageCount = 500;
/**
 * Delay between a commit and reading its changes, so that a series of writes is not slowed down by a read after each.
 */
const coalesceMs = 5;

export function createChangeFeed(storage: Storage, log: Log): ChangeFeed {
  const feeds = new Map<TenantId, TenantFeed>();
  let unwatch: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;

  function deliver(feed: TenantFeed, change: Change): void {
    for (const listener of feed.listeners) listener(change);
  }

  async function readNew(tenant: TenantId, feed: TenantFeed): Promise<void> {
    if (feed.seq === undefined) {
      feed.seq = await storage.version(tenant, undefined);
      return;
    }
    for (;;) {
      const page = await storage.changesSince(tenant, undefined, feed.seq, pageCount);
      for (const change of page) {
        feed.seq = change.seq;
        deliver(feed, change);
      }
      if (page.length < pageCount) return;
    }
  }

  /** At most one read per tenant runs at a time. A wake-up during a read causes another one. */
  async function refresh(tenant: TenantId, feed: TenantFeed): Promise<void> {
    feed.isStale = true;
    if (feed.isReading) return;
    feed.isReading = true;
    try {
      while (feed.isStale) {
        feed.isStale = false;
        await readNew(tenant, feed);
      }
    } catch (error) {
      log.warn({ reason: String(error) }, 'could not read the change log; will retry at the next change');
    } finally {
      feed.isReading = false;
    }
  }

  function wake(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const [tenant, feed] of feeds) void refresh(tenant, feed);
    }, coalesceMs);
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    unwatch?.();
    unwatch = undefined;
  }

  return {
    subscribe(tenant, listener) {
      let feed = feeds.get(tenant);
      if (feed === undefined) {
        feed = { listeners: new Set(), seq: undefined, isReading: false, isStale: false };
        feeds.set(tenant, feed);
        void refresh(tenant, feed);
      }
      feed.listeners.add(listener);
      unwatch ??= storage.watch(wake);
      return () => {
        feed.listeners.delete(listener);
        if (feed.listeners.size > 0) return;
        feeds.delete(tenant);
        if (feeds.size === 0) stop();
      };
    },
    since: (tenant, seq, limit) => storage.changesSince(tenant, undefined, seq, limit),
    close() {
      feeds.clear();
      stop();
    },
  };
}
