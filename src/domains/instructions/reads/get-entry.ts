import type { Call } from '#kernel/call.ts';
import type { CatalogProblem, Look } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import type { ReadsDeps } from './reads-deps.ts';
import { withUsage } from './usage-fields.ts';

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
export const lookAt = ({ catalog }: Pick<ReadsDeps, 'catalog'>, call: Call, id: string): Look | Promise<Look> =>
  instructionIdPattern.test(id) ? catalog.look(call, id) : nothing;

type Deps = Pick<ReadsDeps, 'catalog' | 'usage' | 'trace' | 'count'>;

/** After the look: what it brought in is part of the hash. */
async function toGot({ catalog, usage }: Deps, call: Call, id: string, { found }: Look): Promise<Got> {
  const { hash } = catalog.recent?.(call) ?? (await catalog.state(call));
  if (found === undefined) return { notFound: true, id, hash };
  const counts = await usage.countsOf(call, [id]);
  return { hash, item: withUsage(found.entry, counts.get(id)) };
}

/** Undefined: something has to be waited for. */
function toGotNow({ catalog, usage }: Deps, call: Call, id: string, { found }: Look): Got | undefined {
  const recent = catalog.recent?.(call);
  if (recent === undefined) return undefined;
  const { hash } = recent;
  if (found === undefined) return { notFound: true, id, hash };
  const counts = usage.knownCounts?.(call, [id]);
  return counts && { hash, item: withUsage(found.entry, counts.get(id)) };
}

function tell(deps: Deps, call: Call, id: string, look: Look): Got | Promise<Got> {
  deps.trace('get', { id, found: look.found !== undefined, lateMaterialized: look.lateMaterialized });
  return toGotNow(deps, call, id, look) ?? toGot(deps, call, id, look);
}

/** In the same turn when all of it is in memory: a look at the file is then what it costs. */
export function getEntry(deps: Deps, id: string, call: Call): Got | Promise<Got> {
  const looking = lookAt(deps, call, id);
  if (!(looking instanceof Promise)) return tell(deps, call, id, looking);
  return looking.then((look) => tell(deps, call, id, look));
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
