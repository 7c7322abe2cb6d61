import { sha256Hex } from '../hash/hash.ts';
import type { Embedder } from './embedder.ts';

const dimension = 64;

/** Each word pulls into a direction of its own: texts with common words are near, and nothing is known of meaning. */
function embedWords(text: string): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of ['', ...text.toLowerCase().split(/[^\p{L}\p{N}]+/u)]) {
    const bytes = Buffer.from(sha256Hex(word) + sha256Hex(`${word}\0`), 'hex');
    // The empty word is in every text and weighs little: it only keeps a text without words from having no direction.
    const weight = word === '' ? 1e-3 : 1;
    for (let i = 0; i < dimension; i += 1) vector[i]! += weight * (bytes[i]! / 127.5 - 1);
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Hashed words: always the same, at once, without a model. Makes a search worse than words alone; for tests and trials. */
export const createDebugEmbedder = (): Embedder => ({
  id: 'debug-hash-1',
  dimension,
  partChars: 800,
  batchCount: 32,
  async embed(texts, { signal }) {
    signal.throwIfAborted();
    return texts.map(embedWords);
  },
  async close() {},
});
