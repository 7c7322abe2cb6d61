import { putOrigins } from '../history/origin-store.ts';
import type { FileVersion } from '../history/record-file-versions.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { EntrySource, SourceDeps } from './entry-source.ts';

export interface AuthorNotesDeps extends Pick<SourceDeps, 'tenant' | 'storage' | 'calls' | 'log' | 'closing'> {
  findAuthors: NonNullable<EntrySource['findAuthors']>;
}

/** Adds the git author to versions that are recorded already: nothing waits for git, and nothing fails because of it. */
export function createAuthorNotes({ tenant, storage, calls, log, closing, findAuthors }: AuthorNotesDeps) {
  let turn: Promise<void> = Promise.resolve();

  async function find(versions: readonly FileVersion[]): Promise<void> {
    if (closing.aborted) return;
    const found = await findAuthors(versions.map(({ origin }) => origin.id));
    const rows = versions.flatMap(({ etag, origin }) => {
      const committed = found.get(origin.id);
      return committed?.etag === etag ? [{ ...origin, git_author: committed.author }] : [];
    });
    if (rows.length === 0 || closing.aborted) return;
    await storage.write(calls.internal(tenant), (db) => putOrigins(db, rows));
  }

  let waitingCount = 0;

  return {
    note(versions: readonly FileVersion[]) {
      // After a clone of thousands of files, the authors of the first ones must do.
      if (versions.length === 0 || waitingCount + versions.length > instructionLimits.gitFilesCount) return;
      waitingCount += versions.length;
      turn = turn
        .then(() => find(versions))
        .catch((error: unknown) =>
          log.debug({ reason: String(error) }, 'could not read the git authors of instructions'),
        )
        .finally(() => {
          waitingCount -= versions.length;
        });
    },
    close: () => turn,
  };
}
