import type { Call } from '#kernel/call.ts';
import { jsonBytes } from '#kernel/text/budget.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { runInBatches } from '../catalog/time-slices.ts';
import type { InstructionEntry } from '../entry-model.ts';
import {
  entryGovernanceHash,
  type GovernanceProjection,
  governanceLineOf,
  projectionOf,
  startGovernanceHash,
} from '../rules/derived-fields.ts';
import type { GovernanceHashResult } from '../tools/instructions-governance-hash.ts';
import { fitOffsetPage, type OffsetWindow } from './offset-pages.ts';
import type { ReadsDeps } from './reads-deps.ts';

/** The fields at the top level and again as `governance`: two documented forms. */
export type GovernanceItem = GovernanceProjection & {
  readonly governance: GovernanceProjection;
  readonly hash: string;
};

type Deps = Pick<ReadsDeps, 'catalog' | 'govTrailingNewline'>;

const hashes = new WeakMap<CatalogState, Map<boolean, string>>();

/** Keyed by entry, so that a write recomputes only what changed. */
const lines = new WeakMap<InstructionEntry, string>();

function lineOf(entry: InstructionEntry): string {
  let line = lines.get(entry);
  if (line === undefined) {
    line = governanceLineOf(entry);
    lines.set(entry, line);
  }
  return line;
}

/** Computed once per catalog state. */
export async function governanceHashIn(
  state: CatalogState,
  trailingNewline: boolean,
  signal: AbortSignal,
): Promise<string> {
  const known = hashes.get(state)?.get(trailingNewline);
  if (known !== undefined) return known;
  const whole = startGovernanceHash(trailingNewline);
  await runInBatches(state.entries, signal, (part) => whole.add(part.map(lineOf)));
  const hash = whole.digest();
  hashes.set(state, (hashes.get(state) ?? new Map<boolean, string>()).set(trailingNewline, hash));
  return hash;
}

function toItem(entry: InstructionEntry): GovernanceItem {
  const governance = projectionOf(entry);
  return { ...governance, governance, hash: entryGovernanceHash(entry) };
}

export async function governanceHash(
  { catalog, govTrailingNewline }: Deps,
  { includeItems, ...window }: OffsetWindow & { readonly includeItems: boolean },
  call: Call,
): Promise<GovernanceHashResult> {
  const state = await catalog.state(call);
  const whole = {
    count: state.count,
    governanceHash: await governanceHashIn(state, govTrailingNewline, call.signal),
    algorithm: 'sha256',
  } as const;
  if (!includeItems) return whole;
  const page = fitOffsetPage(state.entries, window, (entry) => jsonBytes(toItem(entry)));
  return { ...whole, ...page, items: page.items.map(toItem) };
}
