import { GrowU32 } from '../segment/grow.ts';
import { ListCursor } from '../segment/list-cursor.ts';
import { countMax, type Segment } from '../segment/segment.ts';
import type { Part } from './part.ts';
import type { FieldRows } from './term-rows.ts';
import type { Choice } from './word-choice.ts';

/** One position of a phrase: any of the chosen words, at a distance from the first. */
export interface PhraseSlot {
  readonly offset: number;
  readonly choices: readonly Choice[];
}

/** Document and position in one number; a document has far fewer words than this (see `documentChars`). */
const span = 2 ** 20;

/** Finds the words of a phrase in sequence. */
export function phraseRows(part: Part, slots: readonly PhraseSlot[]): readonly FieldRows[] {
  if (slots.some(({ choices }) => choices.length === 0)) return [];
  const { segment, fieldOf } = part;
  const found: FieldRows[] = [];
  for (let own = 0; own < segment.fields.length; own += 1) {
    const field = fieldOf[own]!;
    if (field < 0) continue;
    const rows = toRows(commonStarts(segment, own, slots));
    if (rows.length > 0) found.push({ field, rows, from: 0, to: rows.length });
  }
  return found.sort((a, b) => a.field - b.field);
}

/** Start with the rarest slot: the others only have to confirm it. */
function commonStarts(segment: Segment, field: number, slots: readonly PhraseSlot[]): Float64Array {
  const ordered = slots
    .map((slot) => ({ slot, rowCount: countRows(segment, field, slot.choices) }))
    .sort((a, b) => a.rowCount - b.rowCount);
  let common: Float64Array | undefined;
  for (const { slot, rowCount } of ordered) {
    if (rowCount === 0) return new Float64Array(0);
    const starts = startsOf(segment, field, slot, common);
    common = common === undefined ? starts : intersect(common, starts);
    if (common.length === 0) return common;
  }
  return common ?? new Float64Array(0);
}

function* listsOf(segment: Segment, field: number, choices: readonly Choice[]): Generator<readonly [Choice, number]> {
  for (const choice of choices) {
    for (let list = segment.stemLists[choice.stem]!; list < segment.stemLists[choice.stem + 1]!; list += 1) {
      if (segment.listFields[list] === field) yield [choice, list];
    }
  }
}

function countRows(segment: Segment, field: number, choices: readonly Choice[]): number {
  let count = 0;
  for (const [, list] of listsOf(segment, field, choices))
    count += segment.listRows[list + 1]! - segment.listRows[list]!;
  return count;
}

/**
 * Where the phrase would begin for each occurrence of this slot. Skips documents that are not in `offered`, because a
 * frequent word is in many more documents than a rare one.
 */
function startsOf(
  segment: Segment,
  field: number,
  { offset, choices }: PhraseSlot,
  offered: Float64Array | undefined,
): Float64Array {
  const starts: number[] = [];
  for (const [{ stem, forms }, list] of listsOf(segment, field, choices)) {
    let next = 0;
    for (const cursor = new ListCursor(segment, stem, list); cursor.advance(); ) {
      const base = cursor.doc * span - offset;
      if (offered !== undefined) {
        while (next < offered.length && offered[next]! < base) next += 1;
        if (next === offered.length) break;
        if (offered[next]! >= base + span) {
          cursor.skip();
          continue;
        }
      }
      for (let left = cursor.count; left > 0; left -= 1) {
        cursor.step();
        if (forms === undefined || forms[cursor.form] === 1) starts.push(base + cursor.position);
      }
    }
  }
  const sorted = Float64Array.from(starts);
  return choices.length > 1 ? sorted.sort() : sorted;
}

function intersect(a: Float64Array, b: Float64Array): Float64Array {
  const common: number[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const difference = a[i]! - b[j]!;
    if (difference === 0) common.push(a[i]!);
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  return Float64Array.from(common);
}

function toRows(starts: Float64Array): Uint32Array {
  const rows = new GrowU32();
  for (let i = 0; i < starts.length; ) {
    const doc = Math.floor(starts[i]! / span);
    let count = 0;
    for (; i < starts.length && starts[i]! < (doc + 1) * span; i += 1) count += 1;
    rows.push(((doc << 8) | Math.min(count, countMax)) >>> 0);
  }
  return rows.toArray();
}
