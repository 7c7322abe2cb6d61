import { sha256Hex } from '../hash/hash.ts';

export interface EmbedOptions {
  readonly signal: AbortSignal;
  /** Somebody waits for a query; documents give way to it. */
  readonly purpose: 'query' | 'document';
}

/** Turns texts into vectors of one model. Optional everywhere: without one, search is by words alone. */
export interface Embedder {
  /** Model and revision. Vectors of different ids are never compared. */
  readonly id: string;
  /** Numbers of a vector; undefined while only a service knows. */
  readonly dimension: number | undefined;
  /** A longer text is cut into parts of about so many characters, each with a vector of its own. */
  readonly partChars: number;
  /** Texts that are worth sending at once. */
  readonly batchCount: number;
  /** One vector a text, of length 1, in the order of the texts; all of one dimension. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** This text is not to the embedder's liking and will never be: the others of its batch may well be. */
export class TextRejectedError extends Error {
  override readonly name = 'TextRejectedError';
}

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
