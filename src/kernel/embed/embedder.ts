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
export class TextRefused extends Error {
  override readonly name = 'TextRefused';
}
