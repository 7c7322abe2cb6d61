import type { Collection } from '#kernel/search/collection.ts';
import type { Step } from '#kernel/storage/port.ts';

type What = 'note' | 'forget';

const nothing: Step<void> = { *[Symbol.iterator]() {} };

/** Replaces semantic search: records noted and forgotten documents in order. `before` may throw. */
export function createSemanticNotes(before: (what: What) => void = () => {}) {
  const meant: { readonly what: What; readonly ids: readonly string[] }[] = [];
  const keep =
    (what: What) =>
    (_db: unknown, _collection: Collection, ...ids: string[]) => {
      before(what);
      meant.push({ what, ids });
      return nothing;
    };
  return { meant, meaning: { note: keep('note'), forget: keep('forget') } };
}
