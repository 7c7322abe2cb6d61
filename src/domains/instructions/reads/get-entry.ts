import type { Call } from '#kernel/call.ts';
import type { CatalogProblem, EntryLookup } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { instructionIdPattern } from '../instruction-ids.ts';
import { type ReadsDeps, type UsageCount, withUsage } from './reads-deps.ts';

export type GetResult =
  | { readonly hash: string; readonly item: InstructionEntry }
  | { readonly notFound: true; readonly id: string; readonly hash: string };

export type GetEnhancedResult = GetResult & {
  readonly lateMaterialized?: boolean;
  readonly etag?: string;
  /** The file exists but cannot be served. */
  readonly problem?: CatalogProblem;
};

const nothing: EntryLookup = { found: undefined, lateMaterialized: false, problem: undefined };

/** An id that is not valid must not become a file name. */
export const lookUpEntry = (
  { catalog }: Pick<ReadsDeps, 'catalog'>,
  call: Call,
  id: string,
): EntryLookup | Promise<EntryLookup> => (instructionIdPattern.test(id) ? catalog.lookUp(call, id) : nothing);

type Deps = Pick<ReadsDeps, 'catalog' | 'usage' | 'trace' | 'count'>;

/** The last answer per entry: the same object is serialised once. */
const answers = new WeakMap<InstructionEntry, Extract<GetResult, { readonly item: unknown }>>();

function toFoundResult(hash: string, entry: InstructionEntry, count: UsageCount | undefined): GetResult {
  const known = answers.get(entry);
  const item = withUsage(entry, count);
  const isSame =
    known?.hash === hash && known.item.usageCount === item.usageCount && known.item.lastUsedAt === item.lastUsedAt;
  if (isSame) return known;
  const answer = { hash, item };
  answers.set(entry, answer);
  return answer;
}

/** The hash is read after the lookup, which may have added the entry. */
async function toResult({ catalog, usage }: Deps, call: Call, id: string, { found }: EntryLookup): Promise<GetResult> {
  const { hash } = catalog.cachedState?.(call) ?? (await catalog.state(call));
  if (found === undefined) return { notFound: true, id, hash };
  const counts = await usage.countsOf(call, [id]);
  return toFoundResult(hash, found.entry, counts.get(id));
}

/** Undefined when it has to wait for something. */
function toResultNow({ catalog, usage }: Deps, call: Call, id: string, { found }: EntryLookup): GetResult | undefined {
  const recent = catalog.cachedState?.(call);
  if (recent === undefined) return undefined;
  const { hash } = recent;
  if (found === undefined) return { notFound: true, id, hash };
  const counts = usage.knownCounts?.(call, [id]);
  return counts && toFoundResult(hash, found.entry, counts.get(id));
}

function respond(deps: Deps, call: Call, id: string, look: EntryLookup): GetResult | Promise<GetResult> {
  deps.trace('get', { id, found: look.found !== undefined, lateMaterialized: look.lateMaterialized });
  return toResultNow(deps, call, id, look) ?? toResult(deps, call, id, look);
}

/** Synchronous when everything is in memory; then it costs one stat. */
export function getEntry(deps: Deps, id: string, call: Call): GetResult | Promise<GetResult> {
  const looking = lookUpEntry(deps, call, id);
  if (!(looking instanceof Promise)) return respond(deps, call, id, looking);
  return looking.then((look) => respond(deps, call, id, look));
}

/** Also reports whether the entry was found only now, or why its file is not served. */
export async function getEnhanced(deps: Deps, id: string, call: Call): Promise<GetEnhancedResult> {
  const look = await lookUpEntry(deps, call, id);
  const { lateMaterialized, problem } = look;
  if (problem !== undefined) deps.count('lateMaterializeRejected');
  deps.trace('getEnhanced', {
    id,
    found: look.found !== undefined,
    lateMaterialized,
    repairedVisibility: lateMaterialized,
    ...(problem === undefined ? {} : { rejected: problem.problem }),
  });
  const got = await toResult(deps, call, id, look);
  if (problem !== undefined) return { ...got, problem };
  return 'item' in got ? { ...got, lateMaterialized, ...(look.found && { etag: look.found.etag }) } : got;
}
