import type { Call, TenantId } from '../../call.ts';
import type { Step, Writer } from '../../storage/port.ts';
import type { Collection, Facets } from '../collection.ts';
import type { VectorHit, VectorQuery } from '../vectors.ts';

export interface SemanticText {
  readonly text: string;
  readonly facets?: Facets;
}

/** Where the documents of a collection come from. */
export interface SemanticSource {
  /**
   * A tenant's documents are embedded from his first search by meaning on; until then writes leave no note. For a collection
   * that can be large from the start and that many never search so.
   */
  readonly isOnDemand?: boolean;
  /** Those that are there. One that is missing is taken for deleted, one without a word has no vector. */
  texts(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, SemanticText>>;
  /** All ids in a fixed order, a page at a time; asked for when the model is another one. */
  ids(call: Call, after: string | undefined, limit: number): Promise<readonly string[]>;
}

export type SemanticQuery = Pick<VectorQuery, 'limit' | 'filters' | 'similarityMin'> & { readonly text: string };
export type SemanticVectorQuery = Omit<VectorQuery, 'model'>;

export interface SemanticAnswer {
  /** Whose vectors these are. */
  readonly embedder: string;
  /** By similarity, then by id. */
  readonly hits: readonly VectorHit[];
  /** The beginning of the part of a document's text that a hit tells. */
  excerpt(text: string, part: number): string;
}

export interface EmbeddingProgress {
  /** Undefined: there is none. */
  readonly embedder: string | undefined;
  /** Documents that have vectors of this embedder. */
  readonly embedded: number;
  /** Documents that wait for theirs; one that was written twice may count twice. */
  readonly pending: number;
}

/** Documents that searches by meaning cannot find yet. */
export interface PendingDocuments {
  /** At least so many; a document that is only looked at again may be among them. */
  readonly count: number;
  /** There are more, which were not counted. */
  readonly isMore: boolean;
}

/** Search by meaning for all memories. Follows the writes at a little distance and never stands in their way. */
export interface SemanticSearch {
  /**
   * In the domain's own write: these documents are new or changed. They are embedded soon after the commit, never before;
   * nothing that happens then fails or delays the write. One statement, however many ids.
   */
  note(db: Writer, collection: Collection, ...ids: string[]): Step<void>;
  /** In the domain's own write: these documents are gone. From the commit on they are not found any more. */
  forget(db: Writer, collection: Collection, ...ids: string[]): Step<void>;
  provide(collection: Collection, source: SemanticSource): void;
  /** Undefined: there is no embedder, or it does not answer. Search by words alone then, and say so. */
  nearest(call: Call, collection: Collection, query: SemanticQuery): Promise<SemanticAnswer | undefined>;
  /** With a vector of the caller's, which he has from the same model. */
  nearestTo(call: Call, collection: Collection, query: SemanticVectorQuery): Promise<SemanticAnswer | undefined>;
  /** For vectors that are kept elsewhere. Undefined: there is no embedder, it is of another model, or it does not answer. */
  vectorOf(call: Call, query: { readonly text: string; readonly model: string }): Promise<Float32Array | undefined>;
  progress(call: Call, collection: Collection): Promise<EmbeddingProgress>;
  /** For an answer that finds little: counted up to a bound, so that it costs the same in every store. */
  waiting(call: Call, collection: Collection): Promise<PendingDocuments>;
  /** Embeds what waits, now; resolves when nothing waits. Fails when the embedder does. `tenant`: only of that one. */
  settle(tenant?: TenantId): Promise<void>;
  close(): Promise<void>;
}
