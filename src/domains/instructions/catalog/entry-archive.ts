import type { Call } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { listTrash, newestTrash } from '#kernel/storage/trash.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionIdPattern, instructionTopic } from '../instruction-ids.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { ArchivedEntry, CatalogState, EntryChange } from './catalog.ts';
import { parseArchived } from './entry-json.ts';

const farFuture = { at: Number.MAX_SAFE_INTEGER, id: '' };

/** Newest first. Skips copies that do not parse: they were broken files when they were removed. */
export async function listArchived(
  storage: Storage,
  call: Call,
  canonicalOff: boolean,
  limit: number,
  before = farFuture,
): Promise<readonly ArchivedEntry[]> {
  const rows = await storage.read(call, (db) => listTrash(db, instructionTopic, before, limit));
  return rows.flatMap(({ id, document, actor, at }) => {
    const entry = parseArchived(document, id, at, canonicalOff);
    return entry === undefined ? [] : [{ entry, removedAt: at, removedBy: actor }];
  });
}

interface RestoreDeps {
  readonly storage: Storage;
  readonly canonicalOff: boolean;
  state(): CatalogState;
}

/** Ids that exist already or are not in the archive are returned as missing. */
export async function restoreArchived(
  { storage, canonicalOff, state }: RestoreDeps,
  call: Call,
  ids: readonly string[],
  commit: (changes: readonly EntryChange[]) => Promise<void>,
): Promise<{ readonly restored: readonly string[]; readonly missing: readonly string[] }> {
  const restored: string[] = [];
  const wanted = [...new Set(ids)];
  for (let from = 0; from < wanted.length; from += instructionLimits.restoreChangesCount) {
    const part = wanted
      .slice(from, from + instructionLimits.restoreChangesCount)
      .filter((id) => instructionIdPattern.test(id) && state().find(id) === undefined);
    const entries = await storage.read(call, function* (db) {
      const found: InstructionEntry[] = [];
      for (const id of part) {
        const item = yield* newestTrash(db, instructionTopic, id);
        const entry = item && parseArchived(item.document, id, item.at, canonicalOff);
        if (entry !== undefined) found.push(entry);
      }
      return found;
    });
    if (entries.length === 0) continue;
    await commit(entries.map((entry) => ({ id: entry.id, before: null, after: entry })));
    restored.push(...entries.map(({ id }) => id));
    call.progress(Math.min(from + instructionLimits.restoreChangesCount, wanted.length), wanted.length);
  }
  const done = new Set(restored);
  return { restored, missing: wanted.filter((id) => !done.has(id)) };
}
