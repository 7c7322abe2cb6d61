/** Turns texts into vectors of one model. Optional everywhere: without one, search is by words alone. */
export interface Embedder {
  /** Model and revision. Vectors of different ids are never compared. */
  readonly id: string;
  readonly dimension: number;
  /** One vector a text, of length 1, in the order of the texts. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]>;
}
