import type { TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { SemanticSource, SemanticText } from '#kernel/search/semantic/semantic-search.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { listOpenIds, listOpenOf, listSeenOf, lockEntries } from './catalog-store.ts';
import { toMeaningText } from './documents.ts';
import type { OwnCalls } from './own-call.ts';
import { parseArchived } from './parse-entry.ts';
import type { Shelf } from './shelf.ts';

export interface MeaningSourceDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly calls: OwnCalls;
  readonly canonicalOff: boolean;
  shelfOf(tenant: TenantId): Shelf;
}

function idsAfter(shelf: Shelf, after: string, limit: number): readonly string[] {
  const ids: string[] = [];
  for (const { entry } of shelf.state().rows()) {
    if (ids.length === limit) break;
    if (entry.id > after) ids.push(entry.id);
  }
  return ids;
}

/** Where search by meaning has the entries from: as they are kept, not as this process happens to know them. */
export const createMeaningSource = ({
  storage,
  clock,
  calls,
  canonicalOff,
  shelfOf,
}: MeaningSourceDeps): SemanticSource => ({
  // A catalog can be thousands of files that came with a clone: it is embedded when somebody searches it by meaning.
  isOnDemand: true,
  texts: ({ tenant }, ids) =>
    storage.read(calls.quiet(tenant), function* (db) {
      const texts = new Map<string, SemanticText>();
      for (const [id, { entry }] of yield* shelfOf(tenant).source.present(db, ids)) texts.set(id, toMeaningText(entry));
      const open = yield* listOpenOf(db, ids);
      if (open.length === 0) return texts;
      // Decided and told of, but the file may not be there yet: it is going to be what the journal says, the last of it.
      const decided = new Map((yield* listSeenOf(db, ids)).map(({ id, etag }) => [id, etag]));
      for (const { id, after_etag, document } of open) {
        if (after_etag !== (decided.get(id) ?? null)) continue;
        const entry = document === null ? undefined : parseArchived(document, id, clock.now(), canonicalOff);
        if (entry === undefined) texts.delete(id);
        else texts.set(id, toMeaningText(entry));
      }
      return texts;
    }),
  async ids({ tenant }, after, limit) {
    const shelf = shelfOf(tenant);
    // Whoever wrote before all this began told nobody: those are waited for, and looked for on the disk once more.
    const open = await storage.write(calls.quiet(tenant), function* (db) {
      yield* lockEntries(db);
      return yield* listOpenIds(db, after ?? '', limit);
    });
    if (after === undefined) await shelf.reload(calls.quiet(tenant));
    else await shelf.loaded();
    const all = new Set([...idsAfter(shelf, after ?? '', limit), ...open.map(({ id }) => id)]);
    return [...all].sort().slice(0, limit);
  },
});
