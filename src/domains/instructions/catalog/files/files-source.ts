import { statSync } from 'node:fs';
import { Fault } from '#kernel/fault/fault.ts';
import type { CatalogEntry } from '../catalog.ts';
import { catalogLimits } from '../catalog-limits.ts';
import type { EntrySource } from '../entry-source.ts';
import type { SourceDeps } from '../source-deps.ts';
import { createFileCommit } from './commit-files.ts';
import { createEntryFiles, openFolder } from './entry-files.ts';
import { codeOf, toFolderFault } from './error-code.ts';
import { fileOf, isEntryFile } from './folder-names.ts';
import { createFolderWatch } from './folder-watch.ts';
import type { FileWriting } from './journal.ts';
import { createRecovery } from './recover.ts';

export interface FilesSourceDeps extends SourceDeps {
  readonly folder: string;
  readonly readRetries: number;
  readonly readBackoffMs: number;
  readonly writeRetries: number;
  readonly writeBackoffMs: number;
  readonly sweepEveryMs?: number;
}

/** What the disk refuses is said in our own words, without a path. */
async function withFolder(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof Fault || codeOf(error) === '' ? error : toFolderFault(error);
  }
}

/** One JSON file an entry. The files are the authority: what stands there is what is served. */
export function createFilesSource(deps: FilesSourceDeps): EntrySource {
  const { folder, clock, sink, closing, writeRetries, writeBackoffMs } = deps;
  const sweepEveryMs = deps.sweepEveryMs ?? catalogLimits.sweepEveryMs;
  const files = createEntryFiles(deps);
  /** Files that are being changed right now. */
  let changingCount = 0;
  const writing: FileWriting = {
    folder,
    files,
    log: deps.log,
    writeRetries,
    writeBackoffMs,
    flushing: () => (changingCount <= 1 ? 'alone' : 'together'),
  };
  const ownBatches = new Set<string>();
  const recovery = createRecovery({ ...deps, writing, ownBatches });
  const commitFiles = createFileCommit({ ...deps, writing, finish: (batch) => recovery.finishBatch(batch) });

  const dirty = new Set<string>();
  const watch = createFolderWatch(folder, (name) => {
    if (name === null) sweptAt = Number.NEGATIVE_INFINITY;
    else if (isEntryFile(name)) dirty.add(name);
  });
  let sweptAt = Number.NEGATIVE_INFINITY;
  let sweepMs = 0;
  let sweeping: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function attach(): void {
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat !== undefined) watch.attach(String(stat.ino));
  }

  async function sweepOnce(isForced: boolean): Promise<void> {
    const startedAt = performance.now();
    attach();
    // At the first look nobody of this process can be in the middle of a change; later only what was left for a while is ours.
    await recovery.finishBefore(isForced ? clock.now() : clock.now() - catalogLimits.journalOpenMs);
    await files.sweep(isForced);
    sweptAt = performance.now();
    sweepMs = sweptAt - startedAt;
  }

  function sweep(isForced: boolean): Promise<void> {
    const begin = () => {
      const mine = sweepOnce(isForced).finally(() => {
        if (sweeping === mine) sweeping = undefined;
      });
      sweeping = mine;
      return mine;
    };
    if (sweeping === undefined) return begin();
    // A forced one must begin after it was asked for; another one is as good as a new one.
    return isForced ? sweeping.catch(() => {}).then(begin) : sweeping;
  }

  /** While the catalog is in use it is swept ahead of time, so that nobody waits for it. */
  function sweepAhead(): void {
    if (timer !== undefined || sweepEveryMs < catalogLimits.sweepEveryMs) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!closing.aborted) sweep(false).catch((error: unknown) => deps.log.warn({ err: error }, 'a sweep failed'));
    }, catalogLimits.sweepAheadMs);
    timer.unref();
  }

  async function examineDirty(): Promise<void> {
    if (dirty.size === 0) return;
    const names = [...dirty];
    dirty.clear();
    const unfinished = files.examine(names);
    if (unfinished.length > 0) await files.examineAgain(unfinished);
  }

  /** Where the folder moves all the time, most of the time is still left for others. */
  const isRested = (): boolean => performance.now() - sweptAt >= sweepMs * catalogLimits.sweepRestRatio;

  async function refresh(): Promise<void> {
    await examineDirty();
    const moved = files.moved();
    const isOverdue = performance.now() - sweptAt > sweepEveryMs;
    if (moved === 'vanished') await sweep(true);
    else if (isOverdue || (moved === 'yes' && isRested())) await sweep(false);
    sweepAhead();
  }

  async function look(id: string): Promise<void> {
    const unfinished = files.examine([fileOf(id)]);
    if (unfinished.length > 0) await files.examineAgain(unfinished);
  }

  return {
    load: () =>
      withFolder(async () => {
        await sweep(true);
        await recovery.forgetGivenUp();
      }),
    refresh: () => withFolder(refresh),
    look: (_call, id) => withFolder(() => look(id)),
    async commit(call, changes) {
      openFolder(folder);
      attach();
      const names = changes.map(({ id }) => fileOf(id));
      const releases = names.map((name) => files.hold(name));
      let own = '';
      changingCount += changes.length;
      try {
        await commitFiles(call, changes, (batch) => {
          own = batch;
          ownBatches.add(batch);
        });
      } catch (error) {
        // Whatever became of it: what the files say now is what audit trail and index are to know.
        sink.suspect(changes.map(({ id }) => id));
        throw error;
      } finally {
        changingCount -= changes.length;
        ownBatches.delete(own);
        for (const release of releases) release();
        await withFolder(async () => files.adopt(names));
      }
    },
    // biome-ignore lint/correctness/useYield: the answer is on the disk; the store is only asked to stand still.
    *present(_db, ids) {
      const present = new Map<string, CatalogEntry>();
      for (const id of ids) {
        const kept = files.present(fileOf(id));
        if (kept !== undefined) present.set(id, kept);
      }
      return present;
    },
    files: () => files.list(),
    async close() {
      clearTimeout(timer);
      watch.close();
      await sweeping?.catch(() => {});
    },
  };
}
