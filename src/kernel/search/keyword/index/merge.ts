import type { Collection } from '../../collection.ts';
import type { Tuning } from '../../search-limits.ts';
import type { Part } from '../query/part.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { runInBackground } from '../segment/run-in-slices.ts';
import { commitSegments, type SegmentChange, type SegmentWriteDeps, writeSegment } from './segment-io.ts';
import type { TenantIndex } from './tenant-index.ts';
import type { StoredPart, View } from './view.ts';

export interface SegmentSize {
  readonly id: string;
  readonly bytes: number;
  readonly docs: number;
  readonly deadDocs: number;
}

type PolicyTuning = Pick<Tuning, 'mergeWidthCount' | 'smallestSegmentBytes' | 'largestSegmentBytes'>;

const liveBytes = ({ bytes, docs, deadDocs }: SegmentSize): number => (docs === 0 ? 0 : bytes * (1 - deadDocs / docs));

/** Segments of similar size form a level; each level is `mergeWidthCount` times the one below. */
const levelOf = (bytes: number, { mergeWidthCount, smallestSegmentBytes }: PolicyTuning): number =>
  Math.max(0, Math.ceil(Math.log(bytes / smallestSegmentBytes) / Math.log(mergeWidthCount)));

/**
 * Which segments to merge, or undefined. A segment with a third of its documents dead is rewritten; a full level
 * becomes one segment of the next. A merge is bounded by `largestSegmentBytes`, and a document is rewritten once per
 * level.
 */
export function planMerge(segments: readonly SegmentSize[], tuning: PolicyTuning): readonly string[] | undefined {
  const wasteful = segments.find(({ docs, deadDocs }) => deadDocs * 3 > docs);
  if (wasteful !== undefined) return [wasteful.id];
  const levels = Map.groupBy(segments, (segment) => levelOf(liveBytes(segment), tuning));
  for (const level of [...levels.keys()].sort((a, b) => a - b)) {
    const members = levels.get(level)!.toSorted((a, b) => liveBytes(a) - liveBytes(b) || (a.id < b.id ? -1 : 1));
    if (members.length < tuning.mergeWidthCount) continue;
    const chosen: string[] = [];
    let sum = 0;
    for (const member of members.slice(0, tuning.mergeWidthCount)) {
      sum += liveBytes(member);
      if (sum > tuning.largestSegmentBytes) break;
      chosen.push(member.id);
    }
    if (chosen.length > 1) return chosen;
  }
  return undefined;
}

export interface MergeDeps extends SegmentWriteDeps {
  readonly tenantIndex: TenantIndex;
  readonly declared: Collection;
  readonly tuning: Tuning;
  readonly signal: AbortSignal;
  /** Move the tail into a segment even if it is not full. */
  readonly movesTail: boolean;
}

const toSize = ({ id, segment, liveCount }: StoredPart): SegmentSize => ({
  id,
  bytes: segment.byteCount,
  docs: segment.docCount,
  deadDocs: segment.docCount - liveCount,
});

const isTailFull = ({ tailCount, tailChars }: View, { tailEntriesCount, tailBytes }: Tuning): boolean =>
  tailCount >= tailEntriesCount || tailChars >= tailBytes;

export const isMergeDue = (view: View, tuning: Tuning): boolean =>
  isTailFull(view, tuning) || (view.stored.length > 0 && planMerge(view.stored.map(toSize), tuning) !== undefined);

/** Runs the most urgent merge in one bounded step. False if none was due. */
export async function mergeOnce(deps: MergeDeps): Promise<boolean> {
  const view = await deps.tenantIndex.refresh();
  if (isTailFull(view, deps.tuning) || (deps.movesTail && view.tailCount > 0)) {
    await moveTail(deps, view);
    return true;
  }
  const chosen = planMerge(view.stored.map(toSize), deps.tuning);
  if (chosen === undefined) return false;
  await mergeStored(deps, view, chosen);
  return true;
}

/** Writes the tail as a segment, together with the documents that its rows hide in older segments. */
async function moveTail(deps: MergeDeps, view: View): Promise<void> {
  const added: string[] = [];
  for (const group of groupTail(view.tail, deps.tuning.largestSegmentBytes)) added.push(await makeSegment(deps, group));
  const emptied = view.stored.filter(({ liveCount }) => liveCount === 0);
  const changed = view.stored.filter(
    ({ segment, savedDeadCount, liveCount }) => liveCount > 0 && segment.docCount - liveCount > savedDeadCount,
  );
  await commit(deps, {
    generation: view.generation,
    merged: view.seq,
    added,
    dropped: emptied.map(({ id }) => id),
    dead: changed.map(({ id, dead }) => ({ id, bits: dead! })),
  });
}

function groupTail(tail: readonly Part[], bytesMax: number): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  let sum = Number.POSITIVE_INFINITY;
  for (const part of tail) {
    sum += part.segment.byteCount;
    if (sum > bytesMax) {
      groups.push([]);
      sum = part.segment.byteCount;
    }
    groups.at(-1)!.push(part);
  }
  return groups;
}

async function mergeStored(deps: MergeDeps, view: View, chosen: readonly string[]): Promise<void> {
  const parts = view.stored.filter(({ id }) => chosen.includes(id));
  const isEmpty = parts.every(({ liveCount }) => liveCount === 0);
  // Documents hidden only by the tail may be dropped too: its rows stay and override the segments.
  const added = isEmpty ? [] : [await makeSegment(deps, parts)];
  await commit(deps, { generation: view.generation, merged: view.merged, added, dropped: chosen, dead: [] });
}

async function makeSegment(deps: MergeDeps, parts: readonly Part[]): Promise<string> {
  const segment = await runInBackground(mergeSegments(deps.declared.fields, parts), deps.signal);
  const id = await writeSegment(deps, segment);
  deps.tenantIndex.adopt(id, segment);
  return id;
}

const commit = ({ storage, collection, toCall }: MergeDeps, step: SegmentChange): Promise<void> =>
  storage.write(toCall(), (db) => commitSegments(db, collection, step));
