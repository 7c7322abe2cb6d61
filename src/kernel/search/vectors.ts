import type { Call } from '../call.ts';
import type { Step, Work, Writer } from '../storage/port.ts';
import type { Collection, Facets } from './collection.ts';
import type { FacetFilter } from './keyword/query/filter.ts';

/** One embedded document. Vectors are derived: the same model and text give them again. */
export interface VectorRow {
  readonly id: string;
  /** The embedder's id. */
  readonly model: string;
  /** Hash of the embedded text: shows whether the vectors are up to date. */
  readonly textHash: string;
  /** One per part of the text, in order. */
  readonly vectors: readonly Float32Array[];
  /** The sign bits of its first tokens, for late interaction. */
  readonly tokenSigns?: Uint8Array;
  readonly facets?: Facets;
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
  /** Cosine of the most similar part. */
  readonly similarity: number;
  /** The number of that part, from 0. */
  readonly part: number;
}

export interface VectorAnswer {
  /** By similarity, then by id. */
  readonly hits: readonly VectorHit[];
  /** Whether the document has a vector of this model, similar or not. */
  has(id: string): boolean;
}

/** Tokens of a query for late interaction; see `QueryEmbedding`. */
export interface TokenQuery {
  readonly model: string;
  readonly dimension: number;
  readonly tokens: Float32Array;
}

/** Exact nearest-neighbour search. Vectors of other models are never compared with the query. */
export interface VectorIndex {
  /** On PostgreSQL the writers of one collection wait for each other from here to the commit. */
  put(db: Writer, collection: Collection, rows: readonly VectorRow[]): Work<void>;
  /** For documents with unchanged text. */
  setFacets(db: Writer, collection: Collection, id: string, facets: Facets | undefined): Work<void>;
  /** A fixed number of statements for any number of ids. */
  remove(db: Writer, collection: Collection, ids: readonly string[]): Step<void>;
  /** Sees every write acknowledged before, by any process. */
  nearest(call: Call, collection: Collection, query: VectorQuery): Promise<VectorAnswer>;
  /** The scores of documents by late interaction. One without token signs of this model has none. */
  compareTokens(
    call: Call,
    collection: Collection,
    query: TokenQuery,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
}
