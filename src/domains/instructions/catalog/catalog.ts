import type { Call } from '#kernel/call.ts';
import type { SearchAnswer, SearchQuery } from '#kernel/search/answer-search.ts';
import type { InstructionEntry } from '../entry-model.ts';

export interface CatalogEntry {
  readonly entry: InstructionEntry;
  /** SHA-256 of the stored bytes: a change says which state it is a change of. */
  readonly etag: string;
}

/** A file that is not served, and why. Never deleted, never hides a good one. */
export interface CatalogProblem {
  readonly file: string;
  readonly problem: string;
}

export interface CategoryCount {
  readonly name: string;
  readonly count: number;
  readonly lastUpdated: string;
}

/** The catalog of one tenant at one moment. The same object as long as nothing changed. */
export interface CatalogState {
  /** SHA-256 over `id:sourceHash` of all entries by id, joined by `|`. */
  readonly hash: string;
  readonly count: number;
  /** By id, in code-unit order. */
  readonly entries: readonly InstructionEntry[];
  find(id: string): CatalogEntry | undefined;
  /** Case-insensitive; in the order of `entries`. */
  inCategory(category: string): readonly InstructionEntry[];
  /** By name. */
  readonly categories: readonly CategoryCount[];
  /** Makes ready, one step after the other, what the first question for categories would wait for. */
  categorySteps?(): Iterable<unknown>;
  readonly problems: readonly CatalogProblem[];
  /** The newest `updatedAt`, undefined when there is no entry. */
  readonly lastModified: string | undefined;
}

export interface EntryChange {
  readonly id: string;
  /** The etag of the state this is a change of; null: the entry must not be there. */
  readonly before: string | null;
  /** null removes it; a copy goes to the archive first. */
  readonly after: InstructionEntry | null;
}

export interface ArchivedEntry {
  readonly entry: InstructionEntry;
  readonly removedAt: number;
  readonly removedBy: string;
}

/** What a look at one file found. */
export interface EntryLookup {
  readonly found: CatalogEntry | undefined;
  /** The file was there and not yet in the catalog: it is now. */
  readonly lateMaterialized: boolean;
  /** The file is there and cannot be served. */
  readonly problem: CatalogProblem | undefined;
}

/** All instructions of the caller's tenant. Files are the authority when the store is SQLite, a table when it is PostgreSQL. */
export interface Catalog {
  /** Follows watch, directory state, version file and a sweep every two seconds; cheap when nothing changed. */
  state(call: Call): Promise<CatalogState>;
  /** Looks at the entry's own file, so that an outside edit is seen at once. Answers in the same turn where it can. */
  lookUp(call: Call, id: string): EntryLookup | Promise<EntryLookup>;
  /**
   * What is in memory, without another look. It knows what `look` brought in, what the folder announced, and anything else
   * after at most the time between two sweeps. Undefined where nothing would keep it so: then `state` is to be asked.
   */
  cachedState?(call: Call): CatalogState | undefined;
  /** The JSON that is kept under this id, before anything was filled in; undefined when there is none, or it is no JSON. */
  storedJson(call: Call, id: string): Promise<unknown>;
  /** All or nothing, durable, audited, read back; CONFLICT when an entry moved. Answers the state with the changes in it. */
  commit(call: Call, changes: readonly EntryChange[]): Promise<CatalogState>;
  /** Forgets what is in memory and reads everything again. */
  reload(call: Call): Promise<CatalogState>;
  search(call: Call, query: SearchQuery): Promise<SearchAnswer>;
  /** Newest first, after the given key. */
  listArchived(
    call: Call,
    limit: number,
    before?: { readonly at: number; readonly id: string },
  ): Promise<readonly ArchivedEntry[]>;
  /** The newest archived copy of each id that is not in the catalog goes back into it. */
  restore(
    call: Call,
    ids: readonly string[],
  ): Promise<{ readonly restored: readonly string[]; readonly missing: readonly string[] }>;
  /** For `dir`, `inspect` and `health`: names and sizes of files (or rows), never absolute paths. */
  files(call: Call): Promise<readonly { readonly file: string; readonly bytes: number; readonly modifiedAt: number }[]>;
  close(): Promise<void>;
}
