import { faults } from '#kernel/fault/kernel-faults.ts';

/** Rejects values that 32 bits cannot hold and a zero vector, which has no direction. */
export function toVector(numbers: readonly number[], field: string): Float32Array {
  const vector = Float32Array.from(numbers);
  if (!vector.every(Number.isFinite)) {
    throw faults.VALIDATION_ERROR({ why: `${field} contains a number that does not fit into 32 bits` }, { field });
  }
  if (vector.every((value) => value === 0)) {
    throw faults.VALIDATION_ERROR({ why: `${field} contains only zeros and has no direction` }, { field });
  }
  return vector;
}

export function encodeVector(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(vector.length * 4);
  const view = new DataView(bytes.buffer);
  vector.forEach((value, i) => {
    view.setFloat32(i * 4, value, true);
  });
  return bytes;
}

export function decodeVector(bytes: Uint8Array): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, i) => view.getFloat32(i * 4, true));
}

/** Further decimals are rounding noise and differ between machines. */
export const roundSimilarity = (similarity: number): number =>
  Math.round(Math.max(-1, Math.min(1, similarity)) * 1e6) / 1e6;

/** For non-zero vectors of equal length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < a.length; i += 1) {
    product += a[i]! * b[i]!;
    squaresA += a[i]! * a[i]!;
    squaresB += b[i]! * b[i]!;
  }
  return product / Math.sqrt(squaresA) / Math.sqrt(squaresB);
}
