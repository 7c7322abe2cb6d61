import type { Call, TenantId } from '../../call.ts';
import type { Step, Writer } from '../../storage/port.ts';
import type { Collection, Facets } from '../collection.ts';
import type { VectorHit, VectorQuery } from '../vectors.ts';
import type { SimilarityScale } from './similarity-scale.ts';

export interface SemanticText {
  readonly text: string;
  /** Further texts about the same document, each with its own vector, such as examples. */
  readonly others?: readonly string[];
  readonly facets?: Facets;
}

export interface SemanticSource {
  /**
   * Embed a tenant's documents only from its first semantic search on; writes before it record nothing. For a
   * collection that can be large from the start and that many tenants never search this way.
   */
  readonly isOnDemand?: boolean;
  /** Keeps the signs of the documents' tokens for `compareTokens`: 48 bytes per token with the bundled model. */
  readonly keepsTokens?: boolean;
  /** A missing document counts as deleted; one without a word gets no vector. */
  texts(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, SemanticText>>;
  /** All ids in a fixed order, page by page; used when the model changes. */
  ids(call: Call, after: string | undefined, limit: number): Promise<readonly string[]>;
}

export type SemanticQuery = Pick<VectorQuery, 'limit' | 'filters' | 'similarityMin'> & {
  readonly text: string;
  /** Instead of `similarityMin`, on the scale of the model. */
  readonly shownMin?: number;
  /** False: never waits for pending documents, even in a process that exits after one call. Default: true. */
  readonly isPatient?: boolean;
};
export type SemanticVectorQuery = Omit<VectorQuery, 'model'>;

export interface SemanticAnswer {
  /** The embedder's id. */
  readonly embedder: string;
  /** Of the embedder's model. The hits have raw cosines. */
  readonly scale: SimilarityScale;
  /** By similarity, then by id. */
  readonly hits: readonly VectorHit[];
  /** Whether semantic search could find the document; false while it is pending. */
  isEmbedded(id: string): boolean;
  /**
   * How similar documents are, token by token. One that was embedded without its tokens has no score. Undefined if
   * the collection or the model has no tokens.
   */
  compareTokens?(ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The beginning of the part of the document's text that a hit refers to. */
  excerpt(text: string, part: number): string;
}

export interface SemanticAssessment {
  /** Why semantic search cannot help; undefined if it can. */
  readonly missing: 'embedder' | 'language' | undefined;
  /** Of the model. */
  readonly scale: SimilarityScale;
}

export interface EmbeddingProgress {
  /** Undefined if there is none. */
  readonly embedder: string | undefined;
  /** Documents with vectors of this embedder. */
  readonly embedded: number;
  /** Documents without a current vector; one that was written twice may count twice. */
  readonly pending: number;
}

/** Documents that semantic search cannot find yet. */
export interface PendingDocuments {
  /** A lower bound; may include documents that are only checked again. */
  readonly count: number;
  /** There are more, which were not counted. */
  readonly isMore: boolean;
}

/** Semantic search for all memories. Embeds after the commit and never delays a write. */
export interface SemanticSearch {
  /**
   * In the domain's own write: these documents are new or changed. They are embedded soon after the commit; a failure
   * there does not affect the write. One statement for any number of ids.
   */
  note(db: Writer, collection: Collection, ...ids: string[]): Step<void>;
  /** In the domain's own write: these documents are deleted. From the commit on they are not found. */
  forget(db: Writer, collection: Collection, ...ids: string[]): Step<void>;
  provide(collection: Collection, source: SemanticSource): void;
  /** Whether semantic search can help with a query. */
  assess(text: string): Promise<SemanticAssessment>;
  /** Undefined without an embedder or if it fails. The caller then uses keyword search and says so. */
  nearest(call: Call, collection: Collection, query: SemanticQuery): Promise<SemanticAnswer | undefined>;
  /** With the caller's own vector, of the same model. */
  nearestTo(call: Call, collection: Collection, query: SemanticVectorQuery): Promise<SemanticAnswer | undefined>;
  /** For vectors that are stored elsewhere. Undefined without an embedder, if it has another model, or it fails. */
  vectorOf(call: Call, query: { readonly text: string; readonly model: string }): Promise<Float32Array | undefined>;
  progress(call: Call, collection: Collection): Promise<EmbeddingProgress>;
  /** Counted up to a limit, so that it costs the same in every store. */
  waiting(call: Call, collection: Collection): Promise<PendingDocuments>;
  /** Embeds all pending documents now, of one tenant if given. Fails if the embedder does. */
  settle(tenant?: TenantId): Promise<void>;
  close(): Promise<void>;
}
