import type { BulkDeps } from './bulk-deps.ts';
import { type ImportError, importEntries } from './import-entries.ts';
import { starterCatalog } from './starter-catalog.ts';

export interface SeedReport {
  readonly added: number;
  /** Were there already; what somebody made of them stays. */
  readonly kept: number;
  readonly ids: readonly string[];
  readonly errors: readonly ImportError[];
}

export async function seed(deps: BulkDeps): Promise<SeedReport> {
  const { imported, skipped, errors } = await importEntries(deps, starterCatalog, 'skip');
  return { added: imported, kept: skipped, ids: starterCatalog.map(({ id }) => id), errors };
}
