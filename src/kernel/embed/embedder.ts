import { sha256Hex } from '../hash/hash.ts';

export interface EmbedOptions {
  readonly signal: AbortSignal;
  /** A caller waits for a query; documents give way to it. */
  readonly purpose: 'query' | 'document';
}

/** A document for late interaction: the vector of the text, and what is kept of the vectors of its tokens. */
export interface DocumentEmbedding {
  readonly vector: Float32Array;
  /** The sign bits of each token's numbers, one token after the other; see `packSigns`. */
  readonly tokenSigns: Uint8Array;
}

/** A query for late interaction. */
export interface QueryEmbedding {
  readonly vector: Float32Array;
  /** The vectors of its tokens, one after the other. Their lengths are their weights, which add up to 1. */
  readonly tokens?: Float32Array;
}

/** Vectors of texts and of their tokens, both from the same run of the model. */
export interface TokenEmbedder {
  embedQuery(text: string, signal: AbortSignal): Promise<QueryEmbedding>;
  embedDocuments(texts: readonly string[], signal: AbortSignal): Promise<readonly DocumentEmbedding[]>;
}

/** Turns texts into vectors of one model. Optional: without it, only keyword search works. */
export interface Embedder {
  /** Model and revision. Vectors of different ids are never compared. */
  readonly id: string;
  /** Numbers per vector; undefined as long as only a remote service knows. */
  readonly dimension: number | undefined;
  /**
   * The cosine that separates relevant from irrelevant texts at equal error, measured on the calibration set of the model.
   * Undefined for a model without one.
   */
  readonly relevantFrom?: number;
  /** The model knows no other language; its vectors of other texts mean nothing. */
  readonly isEnglish?: boolean;
  /** A longer text is split into parts of about this many characters, each with its own vector. */
  readonly partChars: number;
  /** Recommended batch size. */
  readonly batchCount: number;
  /** One vector per text, of length 1, in the order of the texts; all of one dimension. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  /** Undefined for a model that gives no vectors of tokens, such as one of a remote service. */
  readonly tokens?: TokenEmbedder;
  close(): Promise<void>;
}

/** The embedder will never accept this text; the others of its batch may be fine. */
export class TextRejectedError extends Error {
  override readonly name = 'TextRejectedError';
}

const dimension = 64;

/** Each word adds its own direction: texts with common words are similar, whatever they mean. */
function embedWords(text: string): Float32Array {
  const vector = new Float32Array(dimension);
  for (const word of ['', ...text.toLowerCase().split(/[^\p{L}\p{N}]+/u)]) {
    const bytes = Buffer.from(sha256Hex(word) + sha256Hex(`${word}\0`), 'hex');
    // The empty word is in every text with a small weight, so that a text without words has a direction.
    const weight = word === '' ? 1e-3 : 1;
    for (let i = 0; i < dimension; i += 1) vector[i]! += weight * (bytes[i]! / 127.5 - 1);
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/**
 * Hashed words: deterministic, immediate and without a model. Makes search worse than keywords alone; for tests and
 * trials.
 */
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
