import type { Call } from '#kernel/call.ts';
import type { Work, Writer } from '#kernel/storage/port.ts';
import { parseArchived, toEntryText } from '../catalog/entry-json.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { listDeletedWithBody, noOrigin, type OriginRow, putOrigins } from './origin-store.ts';
import { fileAuthor, listNewestVersions, recordVersions } from './version-store.ts';

/** A change on disk. */
export interface FileChange {
  readonly id: string;
  readonly what: 'create' | 'update' | 'delete';
  readonly etag: string;
  /** Undefined if the file was deleted. */
  readonly entry: InstructionEntry | undefined;
}

/** A recorded version, and what is known about its origin. */
export interface FileVersion {
  readonly etag: string;
  readonly origin: OriginRow;
}

/** The hashes of the last known bodies. */
function* bodyHashesOf(db: Writer, ids: readonly string[], canonicalOff: boolean): Work<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const newest = yield* listNewestVersions(db, ids);
  return new Map(
    newest.flatMap(({ id, document, at }): [string, string][] => {
      const entry = document === null ? undefined : parseArchived(document, id, at, canonicalOff);
      return entry === undefined ? [] : [[id, entry.sourceHash]];
    }),
  );
}

/** The deleted entries whose bodies appear under new ids, by the new id. */
function* findRenames(
  db: Writer,
  created: readonly InstructionEntry[],
  deletedNow: ReadonlyMap<string, string>,
): Work<ReadonlyMap<string, OriginRow>> {
  const renames = new Map<string, OriginRow>();
  if (created.length === 0) return renames;
  const hashes = [...new Set(created.map(({ sourceHash }) => sourceHash))];
  const deleted = yield* listDeletedWithBody(db, hashes, instructionLimits.seenChangesCount);
  // What was deleted together with the new file is more likely to be its former name.
  const free = deleted.toSorted((a, b) => Number(deletedNow.has(b.id)) - Number(deletedNow.has(a.id)));
  for (const { id, sourceHash } of created) {
    const at = free.findIndex(({ body_hash }) => body_hash === sourceHash);
    const [former] = at < 0 ? [] : free.splice(at, 1);
    if (former !== undefined) renames.set(id, former);
  }
  return renames;
}

/** Records versions of changes on disk and recognises renames. In the transaction that notes the changes. */
export function* recordFileVersions(
  db: Writer,
  call: Call,
  changes: readonly FileChange[],
  canonicalOff: boolean,
): Work<readonly FileVersion[]> {
  const gone = changes.filter(({ entry }) => entry === undefined).map(({ id }) => id);
  const deletedNow = yield* bodyHashesOf(db, gone, canonicalOff);
  const numbers = yield* recordVersions(
    db,
    { tool: call.tool, actor: fileAuthor },
    changes.map(({ id, what, etag, entry }) => ({
      id,
      what,
      etag,
      document: entry === undefined ? null : toEntryText(entry),
    })),
  );
  const originOf = (id: string): OriginRow => ({ id, number: numbers.get(id) ?? 0, ...noOrigin });
  const deleted = [...deletedNow].map(([id, body_hash]) => ({ ...originOf(id), body_hash }));
  yield* putOrigins(db, deleted);
  const created = changes.flatMap(({ what, entry }) => (what === 'create' && entry !== undefined ? [entry] : []));
  const renames = yield* findRenames(db, created, deletedNow);
  const renamed = [...renames].flatMap(([id, former]): readonly OriginRow[] => [
    { ...originOf(id), renamed_from: former.id },
    { ...former, renamed_to: id },
  ]);
  yield* putOrigins(db, renamed);
  return changes
    .filter(({ entry }) => entry !== undefined)
    .map(({ id, etag }) => ({ etag, origin: { ...originOf(id), renamed_from: renames.get(id)?.id ?? null } }));
}
