import type { Reader, Work } from '#kernel/storage/port.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { tagRunsOf } from '../tags/tag-store.ts';
import {
  findPads,
  type IdRow,
  idsOfNamespace,
  idsOfTag,
  idsOfTagIn,
  type ListedPadRow,
  listPads,
  type PadFilter,
} from './pad-list-store.ts';

/** Ids in their order, from an index, as many as a page at most: the page costs the same however many pads there are. */
type Run = () => Work<readonly IdRow[]>;

const kinds = ['pad', 'cell'] as const;

/** The runs that hold the page together, or undefined when there are too many of them. */
function* toRuns(db: Reader, filter: PadFilter, limit: number): Work<readonly Run[] | undefined> {
  const { namespaces, tags, after } = filter;
  const most = notebookLimits.listRunsCount;
  if (namespaces.length > 0 && tags.length > 0) {
    const found = yield* tagRunsOf(db, namespaces, tags, most + 1);
    if (found.length > most) return undefined;
    return found.map((run) => () => idsOfTagIn(db, run, after, limit)[Symbol.iterator]());
  }
  if (namespaces.length + 2 * tags.length > most) return undefined;
  return [
    ...namespaces.map((namespace) => () => idsOfNamespace(db, namespace, after, limit)[Symbol.iterator]()),
    ...tags.flatMap((tag) => kinds.map((kind) => () => idsOfTag(db, tag, kind, after, limit)[Symbol.iterator]())),
  ];
}

function* mergeRuns(runs: readonly Run[], limit: number): Work<readonly string[]> {
  const ids = new Set<string>();
  for (const run of runs) for (const { scratch_id } of yield* run()) ids.add(scratch_id);
  return [...ids].sort().slice(0, limit);
}

/** The first pads by id that are in one of the namespaces, if any are named, and have one of the tags, if any are named. */
export function* choosePads(db: Reader, filter: PadFilter, limit: number): Work<readonly ListedPadRow[]> {
  const isFiltered = filter.namespaces.length > 0 || filter.tags.length > 0;
  const runs = isFiltered ? yield* toRuns(db, filter, limit) : undefined;
  if (runs === undefined) return yield* listPads(db, filter, limit);
  const ids = yield* mergeRuns(runs, limit);
  return ids.length === 0 ? [] : yield* findPads(db, ids);
}
