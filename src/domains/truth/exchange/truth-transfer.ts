import type { Call } from '#kernel/call.ts';
import type { RebuildReport } from './rebuild.ts';

export interface ExportedFile {
  readonly file: string;
  readonly tenant: string;
  readonly rows: number;
  readonly bytes: number;
  /** Uploaded files whose bytes are in the export. */
  readonly files?: number;
  /** Uploaded files whose bytes are missing or damaged. */
  readonly leftOut?: readonly { readonly file: string; readonly problem: string }[];
}

/** Truth as files. The app provides it: exports of one memory and of a whole tenant have one format. */
export interface TruthTransfer {
  export(options: { readonly to: string; readonly force: boolean }, call: Call): Promise<ExportedFile>;
  /** One file: an export, or payloads as JSON Lines. */
  import(path: string, dryRun: boolean, call: Call): Promise<Readonly<Record<string, unknown>>>;
  /** Reduces every entity again from its observations; with `check` it only compares. */
  rebuild(check: boolean, call: Call): Promise<RebuildReport>;
}
