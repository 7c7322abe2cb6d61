import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import type { BackgroundCalls } from './background-calls.ts';
import type { ApprovedProposal, CatalogEntry, CatalogProblem } from './catalog.ts';
import type { SearchIndexes } from './record-changes.ts';

export interface SourceChanges {
  /** By id; undefined when the entry is gone. */
  readonly entries: ReadonlyMap<string, CatalogEntry | undefined>;
  /** By file name; undefined when the problem is gone. */
  readonly problems: ReadonlyMap<string, CatalogProblem | undefined>;
}

export interface CatalogSink {
  /** Called synchronously with the read, so that no newer change comes in between. */
  apply(found: SourceChanges): void;
  find(id: string): CatalogEntry | undefined;
  ids(): Iterable<string>;
  /** Asks for a check whether the audit trail and the search index have recorded the current state of these entries. */
  reconcile(ids: Iterable<string>): void;
}

export interface PreparedChange {
  readonly id: string;
  readonly before: string | null;
  readonly after: (CatalogEntry & { readonly text: string }) | null;
  /** The archived copy is removed in the same write. */
  readonly fromArchive: boolean;
  readonly proposal?: ApprovedProposal | undefined;
}

export interface StoredFile {
  readonly file: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

export interface CommittedEntry {
  readonly author: string;
  /** Of the bytes that were compared with the commit. */
  readonly etag: string;
}

/** Where the entries of one tenant are stored. */
export interface EntrySource {
  /** Reads and reports everything. */
  load(call: Call): Promise<void>;
  /** Reports what changed since; cheap when nothing did. */
  refresh(call: Call): Promise<void>;
  /** Checks one entry and reports a difference. Undefined when that was possible synchronously. */
  refreshEntry(call: Call, id: string): Promise<void> | undefined;
  /** Finds every edit in the background, even when lists are not requested. */
  readonly sweepsInBackground: boolean;
  /** The stored JSON; undefined when there is none or it does not parse. */
  storedJson(call: Call, id: string): Promise<unknown>;
  /** Atomic, durable, audited, indexed, read back and reported. */
  commit(call: Call, changes: readonly PreparedChange[]): Promise<void>;
  /**
   * The stored entries, read inside a transaction. Without a commit in progress it is the state that the transaction is
   * about.
   */
  readCurrent(db: Reader, ids: readonly string[]): Work<ReadonlyMap<string, CatalogEntry>>;
  files(call: Call): Promise<readonly StoredFile[]>;
  /** Who committed these entries to git, of those that are exactly as committed. Missing where git cannot know. */
  findAuthors?(ids: readonly string[]): Promise<ReadonlyMap<string, CommittedEntry>>;
  close(): Promise<void>;
}

export interface SourceDeps extends SearchIndexes {
  readonly tenant: TenantId;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly sink: CatalogSink;
  readonly calls: BackgroundCalls;
  readonly canonicalOff: boolean;
  readonly closing: AbortSignal;
}
