/**
 * Buffers that searches share, to save an allocation per document. A search runs without awaiting between its first and
 * last use, and leaves every array zeroed.
 */
export interface SearchBuffers {
  readonly scores: Float64Array;
  readonly frequencies: Float64Array;
  readonly counts: Uint32Array;
  readonly groups: Uint8Array;
  /** Not zeroed: only its beginning is valid. */
  readonly touched: Uint32Array;
  readonly touchedToo: Uint32Array;
}

export type BuffersFor = (docCount: number) => SearchBuffers;

export function createSearchBuffers(): BuffersFor {
  let size = 0;
  let buffers = allocateBuffers(0);
  return (docCount) => {
    if (docCount > size) {
      size = Math.max(docCount, size * 2, 1024);
      buffers = allocateBuffers(size);
    }
    return buffers;
  };
}

const allocateBuffers = (size: number): SearchBuffers => ({
  scores: new Float64Array(size),
  frequencies: new Float64Array(size),
  counts: new Uint32Array(size),
  groups: new Uint8Array(size),
  touched: new Uint32Array(size),
  touchedToo: new Uint32Array(size),
});
