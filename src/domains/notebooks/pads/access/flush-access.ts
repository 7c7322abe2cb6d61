import type { TenantId } from '#kernel/call.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Step, Storage, Writer } from '#kernel/storage/port.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { touchPads } from '../removal/pad-trash-store.ts';
import { type AccessNote, createAccessNotes } from './access-notes.ts';

export interface Access {
  /** A pad was read just now. */
  note(tenant: TenantId, scratchId: string): void;
  /** What is noted, for a write that has to know who was read last. */
  pending(tenant: TenantId): readonly AccessNote[];
  settle(db: Writer, noted: readonly AccessNote[]): Step<number>;
  settled(tenant: TenantId, noted: readonly AccessNote[]): void;
  /** Writes down what is noted, of all tenants. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface AccessDeps {
  readonly storage: Storage;
  readonly clock: { now(): number };
  readonly log: Log;
}

/**
 * The time of the last look at each pad, written down a little later: a timer runs only while there is something to write,
 * so that a program that nobody asks anything leaves its disk alone.
 */
export function createAccess({ storage, clock, log }: AccessDeps): Access {
  const notes = createAccessNotes(() => {
    if (running === undefined && !isFailing) void flushQuietly();
  });
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  /** A store that does not take them is not asked with every read, only by the timer. */
  let isFailing = false;

  /** One at a time: notes come faster than they are written down. */
  function flush(): Promise<void> {
    running ??= writeDown().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function writeDown(): Promise<void> {
    for (const tenant of notes.tenants()) {
      const noted = notes.pending(tenant);
      await storage.write(systemCall('jobs/notebook-access', { tenant }), (db) => touchPads(db, noted));
      notes.forget(tenant, noted);
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
      log.warn({ err: error }, 'when scratchpads were last read could not be written down');
    }
  }

  return {
    note(tenant, scratchId) {
      notes.note(tenant, scratchId, clock.now());
      timer ??= setTimeout(() => void flushQuietly(), notebookLimits.accessFlushMs).unref();
    },
    pending: (tenant) => notes.pending(tenant),
    settle: touchPads,
    settled: (tenant, noted) => notes.forget(tenant, noted),
    flush,
    async close() {
      // What was noted while the last flush was under way is left for another one.
      await running?.catch(() => {});
      await flushQuietly();
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
