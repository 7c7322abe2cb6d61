import { setImmediate } from 'node:timers/promises';
import type { Call } from '#kernel/call.ts';
import type { CatalogEntry, CatalogState } from '../catalog/catalog.ts';
import { etagOf, toEntryText } from '../catalog/entry-text.ts';
import { type InstructionEntry, instructionEntry } from '../model.ts';
import type { WritesDeps } from './writes-deps.ts';
import { writesLimits } from './writes-limits.ts';

export interface StoredItem {
  readonly kept: CatalogEntry;
  /** The document as it is stored, where it is not what would be written for the entry. */
  readonly stored?: Readonly<Record<string, unknown>>;
  /** The stored bytes are those of the served entry. */
  readonly isAsServed: boolean;
}

/** All entries; where something was filled in while loading, with what is really stored. */
export async function readStored(deps: WritesDeps, call: Call, state: CatalogState): Promise<readonly StoredItem[]> {
  const items: StoredItem[] = [];
  for (const [at, { id }] of state.entries.entries()) {
    // Other calls get their turn while a large catalog is read.
    if (at % writesLimits.turnEntriesCount === writesLimits.turnEntriesCount - 1) await setImmediate();
    const kept = state.find(id);
    if (kept === undefined) continue;
    const isAsServed = etagOf(toEntryText(kept.entry)) === kept.etag;
    const stored = isAsServed ? undefined : await deps.stored?.(call, id);
    items.push({ kept, isAsServed, ...(stored !== undefined && { stored }) });
  }
  return items;
}

/** What a file holds beside our fields moves to `extensions`: writing the file anew would drop it. */
export function withUnknown({ kept: { entry }, stored = {} }: StoredItem): InstructionEntry {
  const unknown = Object.entries(stored).filter(([key]) => !(key in instructionEntry.shape));
  if (unknown.length === 0) return entry;
  return { ...entry, extensions: { ...entry.extensions, ...Object.fromEntries(unknown) } };
}
