import { faults } from '#kernel/fault/kernel-faults.ts';
import type { CatalogState } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';

/**
 * The catalog reads back what it wrote; this asks it for what it now serves. Another process may have changed or removed
 * the entry in between, and then there is nothing to compare: its next state has another version or another moment.
 */
export function assertKept(state: CatalogState, entry: InstructionEntry): void {
  const kept = state.find(entry.id)?.entry;
  if (kept?.version !== entry.version || kept.updatedAt !== entry.updatedAt) return;
  if (kept.sourceHash === entry.sourceHash && kept.governanceHash === entry.governanceHash) return;
  throw faults.INTEGRITY_ERROR({ why: `${entry.id} did not read back as it was written` }, { id: entry.id });
}
