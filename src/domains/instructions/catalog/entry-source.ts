import type { Call, TenantId } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Log } from '#kernel/log/log.ts';
import type { Reader, Storage, Work } from '#kernel/storage/port.ts';
import type { InstructionEntry } from '../entry-model.ts';
import type { CatalogEntry, CatalogProblem } from './catalog.ts';
import type { OwnCalls } from './own-call.ts';
import type { SearchIndexes } from './record-changes.ts';

/** What a source found to be different from what it had told before. */
export interface SourceChanges {
  /** By id; undefined: it is gone. */
  readonly entries: ReadonlyMap<string, CatalogEntry | undefined>;
  /** By file name; undefined: nothing is wrong with it any more. */
  readonly problems: ReadonlyMap<string, CatalogProblem | undefined>;
}

/** What a source tells. */
export interface CatalogSink {
  /** In the same turn in which it was found: nothing newer can come in between. */
  apply(found: SourceChanges): void;
  find(id: string): CatalogEntry | undefined;
  /** Of all entries that were told, in no order. */
  ids(): Iterable<string>;
  /** Whether audit trail and search index know the present state of these is to be looked at. */
  reconcile(ids: Iterable<string>): void;
}

/** One change, ready to be stored. */
export interface PreparedChange {
  readonly id: string;
  readonly before: string | null;
  readonly after: { readonly entry: InstructionEntry; readonly text: string; readonly etag: string } | null;
  /** Its copy leaves the archive in the same write. */
  readonly fromArchive: boolean;
}

export interface StoredFile {
  readonly file: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

/** Where the entries of one tenant are kept. */
export interface EntrySource {
  /** Reads everything again, whatever was known, and tells all of it. */
  load(call: Call): Promise<void>;
  /** Tells what changed since; cheap when nothing did. */
  refresh(call: Call): Promise<void>;
  /** Looks at one entry where it is kept, and tells when it differs. Undefined: that is done already. */
  refreshEntry(call: Call, id: string): Promise<void> | undefined;
  /** Looks, sooner or later, at everything, whether or not somebody asks for a list. */
  readonly sweepsInBackground: boolean;
  /** What is kept under this id, as JSON; undefined when there is none, or it is no JSON. */
  storedJson(call: Call, id: string): Promise<unknown>;
  /** All or nothing, durable, audited, indexed, read back and told. */
  commit(call: Call, changes: readonly PreparedChange[]): Promise<void>;
  /** What is kept now, asked inside a transaction: with no change of these under way it is the state the transaction is about. */
  readCurrent(db: Reader, ids: readonly string[]): Work<ReadonlyMap<string, CatalogEntry>>;
  files(call: Call): Promise<readonly StoredFile[]>;
  close(): Promise<void>;
}

/** What every source of entries is made of. */
export interface SourceDeps extends SearchIndexes {
  readonly tenant: TenantId;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly sink: CatalogSink;
  readonly calls: OwnCalls;
  readonly canonicalOff: boolean;
  /** Aborts when the catalog is closed. */
  readonly closing: AbortSignal;
}
