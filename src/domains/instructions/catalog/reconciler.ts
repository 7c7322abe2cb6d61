import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { type FileChange, type FileVersion, recordFileVersions } from '../history/record-file-versions.ts';
import { instructionTopic } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { type AuthorNotesDeps, createAuthorNotes } from './author-notes.ts';
import type { CatalogEntry } from './catalog.ts';
import type { ChunkedCatalogState } from './catalog-state.ts';
import { deleteSeen, listOpenOf, listSeenAfter, listSeenOf, lockEntries, putSeen } from './catalog-store.ts';
import type { EntrySource, SourceDeps } from './entry-source.ts';
import { updateIndexes } from './record-changes.ts';
import { instructionDocuments } from './search-documents.ts';

export interface ReconcilerDeps extends Omit<SourceDeps, 'sink'>, Pick<AuthorNotesDeps, 'findAuthors'> {
  state(): ChunkedCatalogState;
  readCurrent: EntrySource['readCurrent'];
}

interface UnrecordedChange {
  readonly id: string;
  readonly seen: string | undefined;
  readonly found: CatalogEntry | undefined;
}

const whatOf = (seen: string | undefined, found: CatalogEntry | undefined): FileChange['what'] =>
  found === undefined ? 'delete' : seen === undefined ? 'create' : 'update';

const { seenChangesCount, rebuildChangesCount, rowsPageCount } = instructionLimits;

/**
 * Records outside edits in the audit trail and the search index, once, whichever process sees them first. Changes by
 * tools are recorded by the write itself.
 */
export function createReconciler(deps: ReconcilerDeps) {
  const { tenant, storage, search, calls, log, closing } = deps;
  const queued = new Set<string>();
  let isCompareDue = false;
  let running: Promise<void> | undefined;
  const authors = createAuthorNotes(deps);

  /**
   * Compares the stored entries with the recorded ones; the state in memory may be older. Skips entries that a tool is
   * changing.
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
    yield* db.changed(instructionTopic, id, whatOf(seen, found), found?.etag ?? seen ?? '');
    yield* found === undefined ? deleteSeen(db, id) : putSeen(db, id, found.etag);
  }

  async function recordBatch(part: readonly string[], isIndexed: boolean): Promise<readonly FileVersion[]> {
    // Changes by tools of other processes are recorded already: then no write and no lock is needed.
    const hasUnrecorded = await storage.read(calls.internal(tenant), function* (db) {
      return (yield* findUnrecorded(db, part)).length > 0;
    });
    if (!hasUnrecorded) return [];
    const call = calls.outsideEdit(tenant);
    return storage.write(call, function* (db) {
      yield* lockEntries(db);
      const unknown = yield* findUnrecorded(db, part);
      for (const one of unknown) yield* recordOne(db, one);
      const changes = unknown.map(({ id, seen, found }) => ({
        id,
        what: whatOf(seen, found),
        etag: found?.etag ?? seen ?? '',
        entry: found?.entry,
      }));
      const versions = yield* recordFileVersions(db, call, changes, deps.canonicalOff);
      const put = unknown.flatMap(({ found }) => (found === undefined ? [] : [found.entry]));
      const removed = unknown.filter(({ found }) => found === undefined).map(({ id }) => id);
      yield* updateIndexes(db, deps, { put, removed, isIndexed });
      return versions;
    });
  }

  async function queueDifferences(): Promise<void> {
    const seen = new Map<string, string>();
    for (let after = ''; ; ) {
      const page = await storage.read(calls.internal(tenant), (db) => listSeenAfter(db, after, rowsPageCount));
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

  /**
   * Rebuilds the index in bulk for thousands of entries, such as a fresh clone. Runs first, so that entries are not
   * marked as recorded too early.
   */
  async function rebuild(): Promise<boolean> {
    try {
      await search.rebuild(calls.internal(tenant), instructionDocuments);
      return true;
    } catch (error) {
      if (closing.aborted) throw error;
      log.warn(
        { reason: String(error) },
        'could not rebuild the search index of instructions; updating it entry by entry',
      );
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
      // From the end: a deletion is recorded before the file that has its body now.
      const [gone = [], present = []] = [true, false].map((isGone) =>
        [...queued].filter((id) => (deps.state().find(id) === undefined) === isGone),
      );
      const ids = [...present, ...gone];
      queued.clear();
      try {
        const isIndexed = ids.length >= rebuildChangesCount && (await rebuild());
        while (ids.length > 0) {
          closing.throwIfAborted();
          authors.note(await recordBatch(ids.slice(-seenChangesCount), isIndexed));
          ids.length = Math.max(0, ids.length - seenChangesCount);
        }
      } catch (error) {
        // Retried with the next reconcile or the next start.
        for (const id of ids) queued.add(id);
        throw error;
      }
    }
  }

  function start(): void {
    if (closing.aborted) return;
    running ??= work()
      .catch((error: unknown) => {
        if (!closing.aborted) log.warn({ err: error }, 'could not record outside edits of instructions');
      })
      .finally(() => {
        running = undefined;
      });
  }

  return {
    /** Checks whether these entries differ from what the audit trail and the search index have recorded. */
    reconcile(ids: Iterable<string>) {
      for (const id of ids) queued.add(id);
      if (queued.size > 0) start();
    },
    /** Checks all entries. */
    reconcileAll() {
      isCompareDue = true;
      start();
    },
    /** Resolves when everything is recorded. */
    async whenIdle() {
      while (running !== undefined) await running;
      if (closing.aborted) throw faults.SHUTTING_DOWN();
    },
    async close() {
      await running;
      await authors.close();
    },
  };
}
