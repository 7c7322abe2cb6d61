import type { Call } from '#kernel/call.ts';
import { jsonBytes } from '#kernel/text/budget.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import { entryGovernanceHash, governanceHashOf, type Projection, projectionOf } from '../rules/governance.ts';
import type { ReadsDeps } from './deps.ts';
import { fitOffset, type OffsetWindow } from './entry-pages.ts';

/** The projection's fields, and the same as `governance`: one form for each of the two documents. */
export type GovernedItem = Projection & { readonly governance: Projection; readonly hash: string };

export interface Governed {
  readonly count: number;
  readonly governanceHash: string;
  readonly algorithm: 'sha256';
  readonly items?: readonly GovernedItem[];
  readonly truncated?: true;
  readonly nextOffset?: number;
}

type Deps = Pick<ReadsDeps, 'catalog' | 'govTrailingNewline'>;

const hashes = new WeakMap<CatalogState, Map<boolean, string>>();

/** Over the whole catalog, once for each state of it. */
export function governanceHashIn(state: CatalogState, trailingNewline: boolean): string {
  const known = hashes.get(state) ?? new Map<boolean, string>();
  const hash = known.get(trailingNewline) ?? governanceHashOf(state.entries, trailingNewline);
  hashes.set(state, known.set(trailingNewline, hash));
  return hash;
}

export async function governanceHash(
  { catalog, govTrailingNewline }: Deps,
  { includeItems, ...window }: OffsetWindow & { readonly includeItems: boolean },
  call: Call,
): Promise<Governed> {
  const state = await catalog.state(call);
  const whole = {
    count: state.count,
    governanceHash: governanceHashIn(state, govTrailingNewline),
    algorithm: 'sha256',
  } as const;
  if (!includeItems) return whole;
  const items = state.entries.map((entry) => {
    const governance = projectionOf(entry);
    return { ...governance, governance, hash: entryGovernanceHash(entry) };
  });
  return { ...whole, ...fitOffset(items, window, jsonBytes) };
}
