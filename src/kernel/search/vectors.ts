import type { Call } from '../call.ts';
import type { Step, Work, Writer } from '../storage/port.ts';
import type { Collection, Facets } from './collection.ts';
import type { FacetFilter } from './keyword/query/filter.ts';

/** One embedded document. The vectors are derived: the same model and text always give them again. */
export interface VectorRow {
  readonly id: string;
  /** The embedder's id. */
  readonly model: string;
  /** Hash of the embedded text: tells whether the vectors are still those of the document. */
  readonly textHash: string;
  /** One a part of the text, in its order: a long text has several. */
  readonly vectors: readonly Float32Array[];
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
  /** Cosine of the part that is nearest. */
  readonly similarity: number;
  /** Which part of the text that is, from 0. */
  readonly part: number;
}

/** The nearest by meaning, exactly. Rows of other models are never compared with the query. */
export interface VectorIndex {
  /** On PostgreSQL the writers of one collection wait for each other from here to the commit. */
  put(db: Writer, collection: Collection, rows: readonly VectorRow[]): Work<void>;
  /** Documents whose text is as before. */
  setFacets(db: Writer, collection: Collection, id: string, facets: Facets | undefined): Work<void>;
  /** Four statements, however many ids. */
  remove(db: Writer, collection: Collection, ids: readonly string[]): Step<void>;
  /** By similarity, then by id. Sees every write that was acknowledged before, by whichever process. */
  nearest(call: Call, collection: Collection, query: VectorQuery): Promise<readonly VectorHit[]>;
}
