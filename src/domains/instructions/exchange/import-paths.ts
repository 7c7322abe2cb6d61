import type { BulkDeps } from './bulk-deps.ts';
import type { SkippedPart } from './formats/parsed-file.ts';
import { type ImportError, type ImportMode, importEntries } from './import-entries.ts';
import { planImport } from './plan-import.ts';

export interface ImportOptions {
  readonly paths: readonly string[];
  readonly mode: ImportMode;
  readonly dryRun: boolean;
}

export interface ImportReport {
  readonly dryRun: boolean;
  readonly files: number;
  readonly found: number;
  readonly imported: number;
  readonly overwritten: number;
  /** Entries that were there already and stayed. */
  readonly kept: number;
  readonly ids: readonly string[];
  /** Files and parts of files that brought no entry. */
  readonly skipped: readonly SkippedPart[];
  readonly warnings: readonly string[];
  readonly errors: readonly ImportError[];
}

export async function importPaths(deps: BulkDeps, { paths, mode, dryRun }: ImportOptions): Promise<ImportReport> {
  const { files, entries, skipped, warnings } = await planImport(paths, deps.progress);
  const counts = dryRun
    ? { imported: 0, overwritten: 0, skipped: 0, errors: [] }
    : await importEntries(deps, entries, mode);
  return {
    dryRun,
    files,
    found: entries.length,
    imported: counts.imported,
    overwritten: counts.overwritten,
    kept: counts.skipped,
    ids: entries.map(({ id }) => id),
    skipped,
    warnings,
    errors: counts.errors,
  };
}
