import { packSigns } from '../token-signs.ts';
import { shape } from './tensors.ts';

/** What is returned with the vector of a text: the vectors of a query's tokens, or the signs of a document's. */
export type TokenOutput = 'none' | 'weighted' | 'signs';

/** The vocabulary begins with markers, single characters and punctuation; its words follow, the most frequent first. */
const firstWord = 1_996;

/** A rare word says more about a text than a frequent one. */
const weightOf = (piece: number): number => (piece < firstWord ? 0 : Math.sqrt(Math.log(piece - firstWord + 2)));

/** The rows between the start and end markers. */
const innerRows = (rows: Float32Array): Float32Array => rows.subarray(shape.width, rows.length - shape.width);

export const signsOf = (rows: Float32Array): Uint8Array => packSigns(innerRows(rows), shape.width);

/** Each row scaled to the weight of its token. Empty if no token has a weight. */
export function weighTokens(rows: Float32Array, pieces: readonly number[]): Float32Array {
  const weights = pieces.slice(1, -1).map(weightOf);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const inner = innerRows(rows);
  const used = weights.flatMap((weight, token) => (weight > 0 ? [{ weight, token }] : []));
  const weighted = new Float32Array(used.length * shape.width);
  for (const [i, { weight, token }] of used.entries()) {
    const row = inner.subarray(token * shape.width, (token + 1) * shape.width);
    const factor = weight / total / Math.hypot(...row);
    for (let k = 0; k < shape.width; k += 1) weighted[i * shape.width + k] = row[k]! * factor;
  }
  return weighted;
}
