import type { Call } from '#kernel/call.ts';
import type { CatalogProblem, Look } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../model.ts';
import { instructionIdPattern } from '../words.ts';
import type { ReadsDeps } from './deps.ts';
import { addUsage } from './usage-fields.ts';

export type Got =
  | { readonly hash: string; readonly item: InstructionEntry }
  | { readonly notFound: true; readonly id: string; readonly hash: string };

export type GotEnhanced = Got & {
  readonly lateMaterialized?: boolean;
  /** Its file is there and cannot be served. */
  readonly problem?: CatalogProblem;
};

const nothing: Look = { found: undefined, lateMaterialized: false, problem: undefined };

/** An id of another form names no entry, and must not name anything else. */
export const lookAt = async ({ catalog }: Pick<ReadsDeps, 'catalog'>, call: Call, id: string): Promise<Look> =>
  instructionIdPattern.test(id) ? catalog.look(call, id) : nothing;

type Deps = Pick<ReadsDeps, 'catalog' | 'usage' | 'trace' | 'count'>;

async function toGot(deps: Deps, call: Call, id: string, { found }: Look): Promise<Got> {
  // After the look: what it brought in is part of the hash.
  const { hash } = await deps.catalog.state(call);
  if (found === undefined) return { notFound: true, id, hash };
  const [item = found.entry] = await addUsage(deps, call, [found.entry]);
  return { hash, item };
}

export async function getEntry(deps: Deps, id: string, call: Call): Promise<Got> {
  const look = await lookAt(deps, call, id);
  deps.trace('get', { id, found: look.found !== undefined, lateMaterialized: look.lateMaterialized });
  return toGot(deps, call, id, look);
}

/** Says more than `get`: whether the entry was found only now, or why its file is not served. */
export async function getEnhanced(deps: Deps, id: string, call: Call): Promise<GotEnhanced> {
  const look = await lookAt(deps, call, id);
  const { lateMaterialized, problem } = look;
  if (problem !== undefined) deps.count('lateMaterializeRejected');
  deps.trace('getEnhanced', {
    id,
    found: look.found !== undefined,
    lateMaterialized,
    repairedVisibility: lateMaterialized,
    ...(problem === undefined ? {} : { rejected: problem.problem }),
  });
  const got = await toGot(deps, call, id, look);
  if (problem !== undefined) return { ...got, problem };
  return 'item' in got ? { ...got, lateMaterialized } : got;
}
