import type { Call } from '#kernel/call.ts';
import { type InstructionEntry, schemaVersion } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { type BriefEntry, briefBytes, toBrief } from './brief-entry.ts';
import { entryBytes, fitOffsetPage, type OffsetPage } from './offset-pages.ts';
import { addUsage, type ReadsDeps } from './reads-deps.ts';

type KnownEntry = Pick<InstructionEntry, 'id' | 'sourceHash'>;

/** What a client with the `known` entries has to fetch and to forget. Keeps the order of the entries. */
export function diffEntries<E extends KnownEntry>(entries: readonly E[], known: readonly KnownEntry[]) {
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

export interface DiffInput {
  readonly clientHash?: string | undefined;
  readonly known?: readonly KnownEntry[] | undefined;
  readonly offset?: number | undefined;
  readonly brief?: boolean | undefined;
}

type ShownEntry = InstructionEntry | BriefEntry;

export type DiffResult =
  | { readonly upToDate: true; readonly hash: string; readonly schemaVersion: string }
  | (Omit<OffsetPage<never>, 'items'> & {
      readonly hash: string;
      readonly schemaVersion: string;
      readonly added: readonly ShownEntry[];
      readonly updated: readonly ShownEntry[];
      readonly removed: readonly string[];
      /** The older form, for a client that sent only a hash. */
      readonly changed?: readonly ShownEntry[];
    });

export async function diffCatalog(
  deps: Pick<ReadsDeps, 'catalog' | 'usage'>,
  { clientHash, known, offset = 0, brief = false }: DiffInput,
  call: Call,
): Promise<DiffResult> {
  const costOf = brief ? briefBytes : entryBytes;
  const show = async (shown: readonly InstructionEntry[]): Promise<readonly ShownEntry[]> =>
    brief ? shown.map(toBrief) : addUsage(deps, call, shown);
  const { hash, entries } = await deps.catalog.state(call);
  if (known === undefined) {
    if (clientHash === hash) return { upToDate: true, hash, schemaVersion };
    // The answer contains every entry twice.
    const { items, ...cut } = fitOffsetPage(entries, { offset }, costOf, instructionLimits.wholeAnswerBytes / 2);
    const changed = await show(items);
    return { hash, schemaVersion, changed, added: changed, updated: [], removed: [], ...cut };
  }
  const { added, updated, removed } = diffEntries(entries, known);
  if (clientHash === hash && added.length + updated.length + removed.length === 0) {
    return { upToDate: true, hash, schemaVersion };
  }
  const { items, ...cut } = fitOffsetPage([...added, ...updated], { offset }, costOf);
  const shown = await show(items);
  const addedCount = Math.max(0, Math.min(shown.length, added.length - offset));
  return {
    hash,
    schemaVersion,
    added: shown.slice(0, addedCount),
    updated: shown.slice(addedCount),
    removed: offset === 0 ? removed : [],
    ...cut,
  };
}
