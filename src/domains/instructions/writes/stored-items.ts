import type { Call } from '#kernel/call.ts';
import { createPacer } from '#kernel/clock/yield-to-event-loop.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { CatalogEntry, CatalogState } from '../catalog/catalog.ts';
import { etagOf, toEntryText } from '../catalog/entry-text.ts';
import { type InstructionEntry, instructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { WritesDeps } from './writes-deps.ts';

type Stored = Readonly<Record<string, unknown>>;

export interface StoredItem {
  readonly kept: CatalogEntry;
  /** The document as it is stored, where it is not what would be written for the entry. */
  readonly stored?: Stored;
  /** The stored bytes are those of the served entry. */
  readonly isAsServed: boolean;
}

/** All entries; where something was filled in while loading, with what is really stored. Only those are read again. */
export async function readStored(
  { catalog }: Pick<WritesDeps, 'catalog'>,
  call: Call,
  state: CatalogState,
): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = [];
  const pace = createPacer(instructionLimits.writeTurnMs, call.signal);
  for (const { id } of state.entries) {
    await pace();
    const kept = state.find(id);
    if (kept === undefined) continue;
    const isAsServed = etagOf(toEntryText(kept.entry)) === kept.etag;
    const stored = isAsServed ? undefined : await catalog.stored(call, id);
    items.push({ kept, isAsServed, ...(isObject(stored) && { stored }) });
  }
  return items;
}

/** Whether a hash that is stored is not the one that is served. One that is missing is no wrong one. */
export const hasStaleHash = ({ kept: { entry }, stored = {} }: StoredItem): boolean =>
  (['sourceHash', 'governanceHash'] as const).some(
    (field) => stored[field] !== undefined && stored[field] !== null && stored[field] !== entry[field],
  );

/** What a file holds beside our fields moves to `extensions`: writing the file anew would drop it. */
export function withUnknown({ kept: { entry }, stored = {} }: StoredItem): InstructionEntry {
  const unknown = Object.entries(stored).filter(([key]) => !(key in instructionEntry.shape));
  if (unknown.length === 0) return entry;
  return { ...entry, extensions: { ...entry.extensions, ...Object.fromEntries(unknown) } };
}
