import type { LibrarySource } from '../../libraries/write-pages.ts';
import type { Format } from '../formats/format.ts';

/** What was not taken in, and why. */
export interface Skipped {
  readonly path: string;
  readonly reason: string;
}

/** A page that nobody has read yet. */
export interface RawPage {
  readonly path: string;
  readonly format: Format;
  readonly title?: string | undefined;
  read(): Promise<Uint8Array | string | { readonly reason: string }>;
}

/** Where pages come from. All its bounds were looked at when it was opened. */
export interface OpenedSource {
  readonly source: LibrarySource;
  /** As the source calls itself. */
  readonly library: string | undefined;
  readonly version: string | undefined;
  readonly pages: readonly RawPage[];
  readonly skipped: readonly Skipped[];
  /** Pages that are not among these are gone. */
  readonly isWhole: boolean;
  close(): Promise<void>;
}

/** What may be read, and from where. */
export interface SourceAccess {
  /** Folders whose files may be read; undefined: whoever asks owns the machine and may name any. */
  readonly roots: readonly string[] | undefined;
  /** The data folder. */
  readonly forbidden: readonly string[];
  /** Where a relative path begins, and whose `node_modules` hold the packages; further up where any folder may be read. */
  readonly base: string;
  /** Of a folder also what its `.gitignore` files name. */
  readonly takesIgnored?: boolean;
}
