import type { Call } from '#kernel/call.ts';
import { createPacer } from '#kernel/clock/yield-to-event-loop.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { CatalogEntry, CatalogState } from '../catalog/catalog.ts';
import { etagOf, toEntryText } from '../catalog/entry-json.ts';
import { type InstructionEntry, instructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { WritesDeps } from './writes-deps.ts';

type Stored = Readonly<Record<string, unknown>>;

export interface StoredEntry {
  readonly kept: CatalogEntry;
  /** The stored document, where it differs from the text of the entry. */
  readonly stored?: Stored;
  /** The stored bytes are exactly those of the served entry. */
  readonly isUnchanged: boolean;
}

/** All entries. Reads the stored document only of those for which loading filled something in. */
export async function readStoredEntries(
  { catalog }: Pick<WritesDeps, 'catalog'>,
  call: Call,
  state: CatalogState,
): Promise<readonly StoredEntry[]> {
  const items: StoredEntry[] = [];
  const pace = createPacer(instructionLimits.writeTurnMs, call.signal);
  for (const { id } of state.entries) {
    await pace();
    const kept = state.find(id);
    if (kept === undefined) continue;
    const isUnchanged = etagOf(toEntryText(kept.entry)) === kept.etag;
    const stored = isUnchanged ? undefined : await catalog.storedJson(call, id);
    items.push({ kept, isUnchanged, ...(isObject(stored) && { stored }) });
  }
  return items;
}

/** A missing hash is not a wrong one. */
export function hasStaleHash({ kept: { entry, recordedHash }, stored = {} }: StoredEntry): boolean {
  const governanceHash = stored['governanceHash'] ?? entry.governanceHash;
  return recordedHash !== undefined || governanceHash !== entry.governanceHash;
}

/** Keeps unknown fields as `extensions`; rewriting the file would drop them. */
export function withUnknownFields({ kept: { entry }, stored = {} }: StoredEntry): InstructionEntry {
  const unknown = Object.entries(stored).filter(([key]) => !(key in instructionEntry.shape));
  if (unknown.length === 0) return entry;
  return { ...entry, extensions: { ...entry.extensions, ...Object.fromEntries(unknown) } };
}
