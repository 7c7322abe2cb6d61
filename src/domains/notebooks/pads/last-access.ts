import type { TenantId } from '#kernel/call.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Storage, Work, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../notebook-limits.ts';
import { touchPads } from './pad-trash-store.ts';

export interface AccessNote {
  readonly scratchId: string;
  readonly at: number;
}

/** Read times that are not yet in the store. */
export interface AccessNotes {
  note(tenant: TenantId, scratchId: string, at: number): void;
  /** Sorted by id, so that two writers lock the rows in the same order. */
  pending(tenant: TenantId): readonly AccessNote[];
  /** Removes written notes; newer notes of the same pads stay. */
  forget(tenant: TenantId, written: readonly AccessNote[]): void;
  tenants(): readonly TenantId[];
}

/** `onFull` is called for each new note of a tenant above the limit. */
export function createAccessNotes(onFull: (tenant: TenantId) => void = () => {}): AccessNotes {
  const tenants = new Map<TenantId, Map<string, number>>();
  return {
    note(tenant, scratchId, at) {
      let notes = tenants.get(tenant);
      if (notes === undefined) {
        notes = new Map();
        tenants.set(tenant, notes);
      }
      const isNew = !notes.has(scratchId);
      notes.set(scratchId, at);
      if (!isNew || notes.size < notebookLimits.accessNotesCount) return;
      const [oldest] = notes.keys();
      if (notes.size > 2 * notebookLimits.accessNotesCount && oldest !== undefined) notes.delete(oldest);
      onFull(tenant);
    },
    pending: (tenant) =>
      [...(tenants.get(tenant) ?? new Map<string, number>())]
        .map(([scratchId, at]) => ({ scratchId, at }))
        .sort((a, b) => (a.scratchId < b.scratchId ? -1 : 1)),
    forget(tenant, written) {
      const notes = tenants.get(tenant);
      if (notes === undefined) return;
      for (const { scratchId, at } of written) if ((notes.get(scratchId) ?? Infinity) <= at) notes.delete(scratchId);
      if (notes.size === 0) tenants.delete(tenant);
    },
    tenants: () => [...tenants.keys()],
  };
}

export interface LastAccess {
  note(tenant: TenantId, scratchId: string): void;
  /** The notes that an eviction must write before it decides. */
  pending(tenant: TenantId): readonly AccessNote[];
  write(db: Writer, notes: readonly AccessNote[]): Work<void>;
  /** To be called after the commit of `write`. */
  forget(tenant: TenantId, notes: readonly AccessNote[]): void;
  /** Writes the notes of all tenants. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface LastAccessDeps {
  readonly storage: Storage;
  readonly clock: { now(): number };
  readonly log: Log;
}

/** Keeps the time of the last read of each pad. The timer runs only while notes are pending, so an idle disk stays idle. */
export function createLastAccess({ storage, clock, log }: LastAccessDeps): LastAccess {
  const notes = createAccessNotes(() => {
    if (running === undefined && !isFailing) void flushQuietly();
  });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  /** After a failure only the timer retries, not every read. */
  let isFailing = false;

  /** Only one at a time: notes arrive faster than they can be written. */
  function flush(): Promise<void> {
    running ??= writeAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function writeAll(): Promise<void> {
    for (const tenant of notes.tenants()) {
      const pending = notes.pending(tenant);
      await storage.write(systemCall('jobs/notebook-access', { tenant }), (db) => touchPads(db, pending));
      notes.forget(tenant, pending);
    }
  }

  async function flushQuietly(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    try {
      await flush();
      isFailing = false;
    } catch (error) {
      isFailing = true;
      log.warn({ err: error }, 'could not store when scratchpads were last read');
    }
  }

  return {
    note(tenant, scratchId) {
      notes.note(tenant, scratchId, clock.now());
      timer ??= setTimeout(() => void flushQuietly(), notebookLimits.accessFlushMs).unref();
    },
    pending: notes.pending,
    *write(db, pending) {
      yield* touchPads(db, pending);
    },
    forget: notes.forget,
    flush,
    async close() {
      // A flush that is already running does not include the newest notes.
      await running?.catch(() => {});
      await flushQuietly();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
