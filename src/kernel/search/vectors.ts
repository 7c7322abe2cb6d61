import type { Call } from '../call.ts';
import type { Step, Writer } from '../storage/port.ts';
import type { Collection } from './collection.ts';
import type { FacetFilter } from './query/filter.ts';

/** One embedded document. The vector is derived: the same model and text always give it again. */
export interface VectorRow {
  readonly id: string;
  /** The embedder's id. */
  readonly model: string;
  /** Hash of the embedded text: tells whether the vector is still that of the document. */
  readonly textHash: string;
  readonly vector: Float32Array;
}

export interface VectorQuery {
  readonly model: string;
  readonly vector: Float32Array;
  readonly limit: number;
  /** Applied before the limit. */
  readonly filters?: readonly FacetFilter[];
  readonly similarityMin?: number;
}

export interface VectorHit {
  readonly id: string;
  /** Cosine. */
  readonly similarity: number;
}

/** The nearest by meaning, exactly. Rows of other models are never compared with the query. */
export interface VectorIndex {
  put(db: Writer, collection: Collection, ...rows: VectorRow[]): Step<void>;
  remove(db: Writer, collection: Collection, ...ids: string[]): Step<void>;
  /** By similarity, then by id. */
  nearest(call: Call, collection: Collection, query: VectorQuery): Promise<readonly VectorHit[]>;
}
