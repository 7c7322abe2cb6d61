import type { Call } from '#kernel/call.ts';
import type { SearchAnswer, SearchQuery } from '#kernel/search/answer-search.ts';
import type { InstructionEntry } from '../entry-model.ts';
import type { Approval } from '../history/version-store.ts';

export interface CatalogEntry {
  readonly entry: InstructionEntry;
  /** SHA-256 of the stored bytes; a change names the etag it is based on. */
  readonly etag: string;
  /** The `sourceHash` in the document, where it does not match the body: the body was edited outside the program. */
  readonly recordedHash?: string;
  /** The name of its file, where that is not the id. */
  readonly file?: string;
}

/** A file that is not served, and why. It is never deleted. */
export interface CatalogProblem {
  readonly file: string;
  readonly problem: string;
}

export interface CategoryCount {
  readonly name: string;
  readonly count: number;
  readonly lastUpdated: string;
}

/** The catalog of one tenant at one moment. The same object until something changes. */
export interface CatalogState {
  /** SHA-256 over `id:sourceHash` of all entries by id, joined by `|`. */
  readonly hash: string;
  readonly count: number;
  /** By id, in code-unit order. */
  readonly entries: readonly InstructionEntry[];
  find(id: string): CatalogEntry | undefined;
  /** Ignores case; in the order of `entries`. */
  inCategory(category: string): readonly InstructionEntry[];
  /** By name. */
  readonly categories: readonly CategoryCount[];
  /** Prepares `categories` in small steps, for callers that yield to the event loop in between. */
  categorySteps?(): Iterable<unknown>;
  readonly problems: readonly CatalogProblem[];
  /** The newest `updatedAt`; undefined when the catalog is empty. */
  readonly lastModified: string | undefined;
}

export interface EntryChange {
  readonly id: string;
  /** The etag that the change is based on; null when the entry must not exist. */
  readonly before: string | null;
  /** null removes the entry after copying it to the archive. */
  readonly after: InstructionEntry | null;
  /** The proposal that the change comes from: it is closed in the same write, or the change is a CONFLICT. */
  readonly proposal?: ApprovedProposal | undefined;
}

export interface ApprovedProposal extends Approval {
  /** Why it was proposed. */
  readonly reason: string | null;
  /** Why it was approved. */
  readonly decision: string | null;
}

export interface ArchivedEntry {
  readonly entry: InstructionEntry;
  readonly removedAt: number;
  readonly removedBy: string;
}

export interface EntryLookup {
  readonly found: CatalogEntry | undefined;
  /** The file existed but was not in the catalog before this call. */
  readonly lateMaterialized: boolean;
  /** The file exists but cannot be served. */
  readonly problem: CatalogProblem | undefined;
}

/** All instructions of the caller's tenant: files when the store is SQLite, a table when it is PostgreSQL. */
export interface Catalog {
  /**
   * Uses the file watcher, the folder state, the version file and a sweep every two seconds. Cheap when nothing
   * changed.
   */
  state(call: Call): Promise<CatalogState>;
  /** Reads the entry's own file, so that it sees an outside edit immediately. Synchronous where possible. */
  lookUp(call: Call, id: string): EntryLookup | Promise<EntryLookup>;
  /**
   * The state in memory. It includes what `lookUp` and the file watcher found; other edits appear after the next sweep.
   * Undefined where no background sweep keeps it current: call `state` then.
   */
  cachedState?(call: Call): CatalogState | undefined;
  /** The stored JSON, without defaults; undefined when there is none or it does not parse. */
  storedJson(call: Call, id: string): Promise<unknown>;
  /** Atomic, durable, audited and read back. Throws CONFLICT when an entry changed. Returns the new state. */
  commit(call: Call, changes: readonly EntryChange[]): Promise<CatalogState>;
  /** Reads everything again. */
  reload(call: Call): Promise<CatalogState>;
  search(call: Call, query: SearchQuery): Promise<SearchAnswer>;
  /** Newest first, starting before the given key. */
  listArchived(
    call: Call,
    limit: number,
    before?: { readonly at: number; readonly id: string },
  ): Promise<readonly ArchivedEntry[]>;
  /** Restores the newest archived copy of each id that is not in the catalog. */
  restore(
    call: Call,
    ids: readonly string[],
  ): Promise<{ readonly restored: readonly string[]; readonly missing: readonly string[] }>;
  /** Names and sizes of files (or rows), never absolute paths. */
  files(call: Call): Promise<readonly { readonly file: string; readonly bytes: number; readonly modifiedAt: number }[]>;
  close(): Promise<void>;
}
