import type { Bits } from './bits.ts';
import type { Segment } from './segment.ts';

export interface MergeInput {
  readonly segment: Segment;
  /** Documents that were changed or removed since; undefined when there are none. */
  readonly dead: Bits | undefined;
}

/** An input with its translation into the numbers of the result, filled in as the merge goes on. */
export interface MergeSource extends MergeInput {
  /** The document's number in the result; -1 when it is dead. */
  readonly docOf: Int32Array;
  /** The result's field for each field here; -1 for one that no longer exists. */
  readonly fieldOf: readonly number[];
  /** The result's stem for each word that is still written somewhere; -1 for the others. */
  readonly stemOfWord: Int32Array;
}

export const toMergeSource = (fields: readonly string[], { segment, dead }: MergeInput): MergeSource => ({
  segment,
  dead,
  docOf: new Int32Array(segment.docCount).fill(-1),
  fieldOf: segment.fields.map((field) => fields.indexOf(field)),
  stemOfWord: new Int32Array(segment.words.count).fill(-1),
});
