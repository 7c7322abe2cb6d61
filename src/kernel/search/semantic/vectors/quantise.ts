/** A stored vector: 8-bit integers, and the factor that gives them length 1 again. */
export interface QuantisedRow {
  readonly numbers: Int8Array;
  readonly scale: number;
}

const largestOf = (vector: Float32Array): number => {
  let most = 0;
  for (const value of vector) {
    if (!Number.isFinite(value)) throw new Error('bug: a vector has a value that is not a finite number');
    most = Math.max(most, Math.abs(value));
  }
  return most;
};

/** The scale of the rounded row, not of the original, so that a cosine never exceeds 1. */
export function quantiseRow(vector: Float32Array): QuantisedRow {
  const most = largestOf(vector);
  if (most === 0) throw new Error('bug: a vector has no direction');
  const numbers = Int8Array.from(vector, (value) => Math.round((value / most) * 127));
  let squares = 0;
  for (const number of numbers) squares += number * number;
  return { numbers, scale: Math.fround(1 / Math.sqrt(squares)) };
}

/** As fine as 16 bits and a 32-bit sum of all products allow. */
export function quantiseQuery(vector: Float32Array, width: number): { numbers: Int16Array; scale: number } {
  const most = largestOf(vector);
  const finest = Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * width)));
  const numbers = new Int16Array(width);
  if (most > 0) for (let i = 0; i < vector.length; i += 1) numbers[i] = Math.round((vector[i]! / most) * finest);
  return { numbers, scale: most / finest };
}

/** The parts of a document as bytes: all numbers, then one scale per part. */
export function encodeRows(rows: readonly QuantisedRow[]): Uint8Array {
  const dimension = rows[0]?.numbers.length ?? 0;
  const bytes = new Uint8Array(rows.length * (dimension + 4));
  const view = new DataView(bytes.buffer);
  rows.forEach(({ numbers, scale }, part) => {
    new Int8Array(bytes.buffer).set(numbers, part * dimension);
    view.setFloat32(rows.length * dimension + part * 4, scale, true);
  });
  return bytes;
}

/** Undefined if the length does not match. */
export function decodeRows(bytes: Uint8Array, parts: number, dimension: number): readonly QuantisedRow[] | undefined {
  if (bytes.length !== parts * (dimension + 4)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: parts }, (_, part) => ({
    numbers: new Int8Array(bytes.buffer, bytes.byteOffset + part * dimension, dimension),
    scale: view.getFloat32(parts * dimension + part * 4, true),
  }));
}

/** A vector of length 1 in the same direction; undefined for a zero vector. */
export function toUnit(vector: Float32Array): Float32Array | undefined {
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (squares === 0 || !Number.isFinite(squares)) return undefined;
  const factor = 1 / Math.sqrt(squares);
  return vector.map((value) => value * factor);
}
