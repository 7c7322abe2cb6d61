import type { Bits } from '../segment/bits.ts';
import { wordAt } from '../segment/dictionary.ts';
import type { Segment } from '../segment/segment.ts';
import type { FacetFilter } from './filter.ts';
import type { Statistics } from './score-part.ts';
import type { UnitMatch } from './unit-rows.ts';

/** What searches have found out about a part that stands as long as the program runs. */
export class PartMemory {
  /** Of all its documents, by number. */
  readonly ids: readonly string[];
  readonly docs: ReadonlyMap<string, number>;
  /** By the number of the stem. */
  readonly matches: (UnitMatch | undefined)[] = [];
  /** By the very filters: whoever asks often gives the same object. */
  readonly allowed = new WeakMap<readonly FacetFilter[], Bits>();
  #stems: ReadonlyMap<string, number> | undefined;
  #statistics: Statistics | undefined;

  constructor(ids: readonly string[]) {
    this.ids = ids;
    this.docs = new Map(ids.map((id, doc) => [id, doc]));
  }

  /** The number of a stem, or -1. */
  stemOf({ stems }: Segment, term: string): number {
    this.#stems ??= new Map(Array.from({ length: stems.count }, (_, stem) => [wordAt(stems, stem), stem]));
    return this.#stems.get(term) ?? -1;
  }

  /** Whether matches are weighed under these: the first ones that last, which are the only ones but for tests. */
  isWeighedUnder(statistics: Statistics): boolean {
    if (statistics.isLasting) this.#statistics ??= statistics;
    return this.#statistics === statistics;
  }
}
