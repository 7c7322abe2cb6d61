import { limits } from '#kernel/limits.ts';
import { instructionLimits } from '../../instruction-limits.ts';
import {
  closeJournal,
  deleteGivenUp,
  giveUpJournal,
  type JournalRow,
  listBatch,
  listOpenBefore,
} from '../catalog-store.ts';
import type { SourceDeps } from '../source-deps.ts';
import { fileOf } from './folder-names.ts';
import { type FileWriting, finishRow } from './journal.ts';
import { touchVersion } from './version-file.ts';

export interface RecoverDeps extends SourceDeps {
  readonly writing: FileWriting;
  /** Batches that this process is working on itself. */
  readonly ownBatches: ReadonlySet<string>;
}

export interface Recovery {
  /** Finishes what was left open before this moment. */
  finishBefore(at: number): Promise<void>;
  finishBatch(batch: string): Promise<void>;
  /** Kept as long as keys live: a request that is repeated after that is a new one. */
  forgetGivenUp(): Promise<void>;
}

const dayMs = 86_400_000;

const first = { batch: '', id: '' };

export function createRecovery(deps: RecoverDeps): Recovery {
  const { storage, calls, tenant, log, sink, writing, ownBatches } = deps;

  async function finish(rows: readonly JournalRow[]): Promise<void> {
    const left = rows.filter(({ batch, state }) => state === 'open' && !ownBatches.has(batch));
    if (left.length === 0) return;
    const done: JournalRow[] = [];
    const moved: JournalRow[] = [];
    for (const row of left) ((await finishRow(writing, row)) === 'done' ? done : moved).push(row);
    writing.files.mutate(() => touchVersion(writing.folder));
    await writing.flushFolder(writing.folder, writing.flushing());
    await storage.write(calls.quiet(tenant), function* (db) {
      for (const row of done) yield* closeJournal(db, row);
      for (const row of moved) yield* giveUpJournal(db, row);
    });
    log.info({ done: done.map(({ id }) => id) }, 'changes of instructions that were left open are finished');
    for (const { id } of moved) {
      log.warn({ id }, 'a change of an instruction is given up: the file was changed by somebody else meanwhile');
    }
    writing.files.examine(left.map(({ id }) => fileOf(id)));
    sink.suspect(left.map(({ id }) => id));
  }

  return {
    async finishBefore(at) {
      for (let after: Pick<JournalRow, 'batch' | 'id'> = first; ; ) {
        const rows = await storage.read(calls.quiet(tenant), function* (db) {
          return yield* listOpenBefore(db, at, after, instructionLimits.journalRowsCount);
        });
        await finish(rows);
        if (rows.length < instructionLimits.journalRowsCount) break;
        after = rows.at(-1)!;
      }
    },
    async forgetGivenUp() {
      await storage.write(calls.quiet(tenant), function* (db) {
        yield* deleteGivenUp(db, db.now - limits.idempotencyKeyDays * dayMs);
      });
    },
    async finishBatch(batch) {
      const rows = await storage.read(calls.quiet(tenant), function* (db) {
        return yield* listBatch(db, batch);
      });
      await finish(rows);
    },
  };
}
