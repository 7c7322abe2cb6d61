/**
 * Working memory of one search after another, so that none has to allocate for every document of a segment. A search runs
 * without a pause between its first and its last use of it; whoever uses an array leaves it filled with zeros.
 */
export interface Scratch {
  readonly scores: Float64Array;
  readonly frequencies: Float64Array;
  readonly counts: Uint32Array;
  readonly groups: Uint8Array;
  /** Not zeroed: only its beginning is ever valid. */
  readonly touched: Uint32Array;
  readonly touchedToo: Uint32Array;
}

export type ScratchFor = (docCount: number) => Scratch;

export function createScratch(): ScratchFor {
  let size = 0;
  let scratch = makeScratch(0);
  return (docCount) => {
    if (docCount > size) {
      size = Math.max(docCount, size * 2, 1024);
      scratch = makeScratch(size);
    }
    return scratch;
  };
}

const makeScratch = (size: number): Scratch => ({
  scores: new Float64Array(size),
  frequencies: new Float64Array(size),
  counts: new Uint32Array(size),
  groups: new Uint8Array(size),
  touched: new Uint32Array(size),
  touchedToo: new Uint32Array(size),
});
