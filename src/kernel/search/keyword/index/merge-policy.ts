import type { Tuning } from './tuning.ts';

export interface SegmentSize {
  readonly id: string;
  readonly bytes: number;
  readonly docs: number;
  readonly deadDocs: number;
}

type PolicyTuning = Pick<Tuning, 'mergeWidthCount' | 'smallestSegmentBytes' | 'largestSegmentBytes'>;

const liveBytes = ({ bytes, docs, deadDocs }: SegmentSize): number => (docs === 0 ? 0 : bytes * (1 - deadDocs / docs));

/** Segments of about one size are on one level; each level is `mergeWidthCount` times the one below. */
const levelOf = (bytes: number, { mergeWidthCount, smallestSegmentBytes }: PolicyTuning): number =>
  Math.max(0, Math.ceil(Math.log(bytes / smallestSegmentBytes) / Math.log(mergeWidthCount)));

/**
 * Which segments to make one of, or undefined when all is well. A segment with a third of its documents dead is written
 * anew; a level that is full becomes one segment of the next. What a merge reads and writes is bounded by
 * `largestSegmentBytes`, and a document is rewritten once a level.
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
