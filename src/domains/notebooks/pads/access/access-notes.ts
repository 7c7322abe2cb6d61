import type { TenantId } from '#kernel/call.ts';
import { notebookLimits } from '../../notebook-limits.ts';

export interface AccessNote {
  readonly scratchId: string;
  readonly at: number;
}

/** Who was read when, until it is written down: a read writes nothing. */
export interface AccessNotes {
  note(tenant: TenantId, scratchId: string, at: number): void;
  /** What is noted of a tenant now, by id. */
  pending(tenant: TenantId): readonly AccessNote[];
  /** These were written down; what was noted since stays. */
  forget(tenant: TenantId, written: readonly AccessNote[]): void;
  tenants(): readonly TenantId[];
}

/** In one order, so that two writers never wait for each other's rows crosswise. */
const byId = (a: AccessNote, b: AccessNote): number => (a.scratchId < b.scratchId ? -1 : 1);

/** `isFull` is called when a tenant has as many notes as should wait, and with each one more. */
export function createAccessNotes(isFull: (tenant: TenantId) => void = () => {}): AccessNotes {
  const tenants = new Map<TenantId, Map<string, number>>();
  return {
    note(tenant, scratchId, at) {
      let notes = tenants.get(tenant);
      if (notes === undefined) {
        notes = new Map();
        tenants.set(tenant, notes);
      }
      const isNew = !notes.has(scratchId);
      notes.set(scratchId, at);
      if (!isNew || notes.size < notebookLimits.accessNotesCount) return;
      const [oldest] = notes.keys();
      if (notes.size > 2 * notebookLimits.accessNotesCount && oldest !== undefined) notes.delete(oldest);
      isFull(tenant);
    },
    pending: (tenant) =>
      [...(tenants.get(tenant) ?? new Map<string, number>())].map(([scratchId, at]) => ({ scratchId, at })).sort(byId),
    forget(tenant, written) {
      const notes = tenants.get(tenant);
      if (notes === undefined) return;
      for (const { scratchId, at } of written) if ((notes.get(scratchId) ?? Infinity) <= at) notes.delete(scratchId);
      if (notes.size === 0) tenants.delete(tenant);
    },
    tenants: () => [...tenants.keys()],
  };
}
