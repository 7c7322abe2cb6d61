import type { InstructionEntry } from '../entry-model.ts';

/** What a client holds of one entry. */
export interface KnownEntry {
  readonly id: string;
  readonly sourceHash: string;
}

export interface CatalogDiff<E> {
  readonly added: readonly E[];
  readonly updated: readonly E[];
  /** By id. */
  readonly removed: readonly string[];
}

/** What a client that holds `known` has to fetch and to forget. Both lists keep the order of the entries. */
export function diffEntries<E extends Pick<InstructionEntry, 'id' | 'sourceHash'>>(
  entries: readonly E[],
  known: readonly KnownEntry[],
): CatalogDiff<E> {
  const left = new Map(known.map(({ id, sourceHash }) => [id, sourceHash]));
  const added: E[] = [];
  const updated: E[] = [];
  for (const entry of entries) {
    const held = left.get(entry.id);
    left.delete(entry.id);
    if (held === undefined) added.push(entry);
    else if (held !== entry.sourceHash) updated.push(entry);
  }
  return { added, updated, removed: [...left.keys()].sort() };
}
