import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { instructionTopic } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { CatalogEntry } from './catalog.ts';
import type { ChunkedCatalogState } from './catalog-state.ts';
import { deleteSeen, listOpenOf, listSeenAfter, listSeenOf, lockEntries, putSeen } from './catalog-store.ts';
import type { EntrySource, SourceDeps } from './entry-source.ts';
import { updateIndexes } from './record-changes.ts';
import { instructionDocuments } from './search-documents.ts';

export interface Reconciler {
  /** These may differ from what audit trail and search index know. */
  reconcile(ids: Iterable<string>): void;
  /** All entries are compared with what is known of them. */
  reconcileAll(): void;
  /** Resolves when nothing is left to be written down. */
  whenIdle(): Promise<void>;
  close(): Promise<void>;
}

export interface ReconcilerDeps extends Omit<SourceDeps, 'sink'> {
  state(): ChunkedCatalogState;
  readCurrent: EntrySource['readCurrent'];
}

interface UnrecordedChange {
  readonly id: string;
  readonly seen: string | undefined;
  readonly found: CatalogEntry | undefined;
}

const { seenChangesCount, rebuildChangesCount, rowsPageCount } = instructionLimits;

/**
 * Writes down, after the fact, what was done behind the program's back: an audit row and the search index, once, whichever
 * of several processes sees it first. What a tool did is known already, from the write itself.
 */
export function createReconciler(deps: ReconcilerDeps): Reconciler {
  const { tenant, storage, search, calls, log, closing } = deps;
  const queued = new Set<string>();
  let isCompareDue = false;
  let running: Promise<void> | undefined;

  /**
   * The ids of `part` whose known state is not the one that is kept. Those that a tool is changing right now are not ours.
   * What is in memory does not count here: another process may have changed it since.
   */
  function* findUnrecorded(db: Reader, part: readonly string[]): Work<readonly UnrecordedChange[]> {
    const seen = new Map((yield* listSeenOf(db, part)).map(({ id, etag }) => [id, etag]));
    const underWay = new Set((yield* listOpenOf(db, part)).map(({ id }) => id));
    const kept = yield* deps.readCurrent(db, part);
    return part
      .filter((id) => !underWay.has(id) && seen.get(id) !== kept.get(id)?.etag)
      .map((id) => ({ id, seen: seen.get(id), found: kept.get(id) }));
  }

  function* recordOne(db: Writer, { id, seen, found }: UnrecordedChange): Work<void> {
    const what = found === undefined ? 'delete' : seen === undefined ? 'create' : 'update';
    yield* db.changed(instructionTopic, id, what, found?.etag ?? seen ?? '');
    yield* found === undefined ? deleteSeen(db, id) : putSeen(db, id, found.etag);
  }

  async function recordBatch(part: readonly string[], isIndexed: boolean): Promise<void> {
    // Most of what other processes did was done by their tools: then there is nothing to write, and no lock is asked for.
    const hasUnrecorded = await storage.read(calls.quiet(tenant), function* (db) {
      return (yield* findUnrecorded(db, part)).length > 0;
    });
    if (!hasUnrecorded) return;
    await storage.write(calls.outside(tenant), function* (db) {
      yield* lockEntries(db);
      const unknown = yield* findUnrecorded(db, part);
      for (const one of unknown) yield* recordOne(db, one);
      const put = unknown.flatMap(({ found }) => (found === undefined ? [] : [found.entry]));
      const removed = unknown.filter(({ found }) => found === undefined).map(({ id }) => id);
      yield* updateIndexes(db, deps, { put, removed, isIndexed });
    });
  }

  async function queueDifferences(): Promise<void> {
    const seen = new Map<string, string>();
    for (let after = ''; ; ) {
      const page = await storage.read(calls.quiet(tenant), (db) => listSeenAfter(db, after, rowsPageCount));
      for (const { id, etag } of page) seen.set(id, etag);
      after = page.at(-1)?.id ?? after;
      if (page.length < rowsPageCount) break;
    }
    for (const { entry, etag } of deps.state().rows()) {
      if (seen.get(entry.id) !== etag) queued.add(entry.id);
      seen.delete(entry.id);
    }
    for (const id of seen.keys()) queued.add(id);
  }

  /** Thousands at once (a fresh clone): the index is made in bulk. It comes first, so that nothing is called known too early. */
  async function rebuild(): Promise<boolean> {
    try {
      await search.rebuild(calls.quiet(tenant), instructionDocuments);
      return true;
    } catch (error) {
      if (closing.aborted) throw error;
      log.warn({ reason: String(error) }, 'the search index of the instructions is filled entry by entry');
      return false;
    }
  }

  async function work(): Promise<void> {
    while (isCompareDue || queued.size > 0) {
      closing.throwIfAborted();
      if (isCompareDue) {
        isCompareDue = false;
        await queueDifferences();
      }
      const ids = [...queued];
      queued.clear();
      try {
        const isIndexed = ids.length >= rebuildChangesCount && (await rebuild());
        while (ids.length > 0) {
          closing.throwIfAborted();
          await recordBatch(ids.slice(-seenChangesCount), isIndexed);
          ids.length = Math.max(0, ids.length - seenChangesCount);
        }
      } catch (error) {
        // Not forgotten: the next look at the folder, or the next start, comes back to it.
        for (const id of ids) queued.add(id);
        throw error;
      }
    }
  }

  function start(): void {
    if (closing.aborted) return;
    running ??= work()
      .catch((error: unknown) => {
        if (!closing.aborted) log.warn({ err: error }, 'outside edits of instructions could not be written down');
      })
      .finally(() => {
        running = undefined;
      });
  }

  return {
    reconcile(ids) {
      for (const id of ids) queued.add(id);
      if (queued.size > 0) start();
    },
    reconcileAll() {
      isCompareDue = true;
      start();
    },
    async whenIdle() {
      while (running !== undefined) await running;
      if (closing.aborted) throw faults.SHUTTING_DOWN();
    },
    async close() {
      await running;
    },
  };
}
