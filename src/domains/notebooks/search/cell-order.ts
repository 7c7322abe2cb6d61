import type { Call } from '#kernel/call.ts';
import type { ItemOrder } from '#kernel/search/item-order.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { toDocumentKey } from './document-source.ts';
import { authorFacet } from './item-context.ts';
import { cellDocumentId } from './notebook-documents.ts';
import { listNeighbours } from './notebook-search-store.ts';

/** The order of cells in their pads. It is read from the store, because moving a cell does not index it again. */
export const createCellOrder = (storage: Storage): ItemOrder => ({
  authorFacet,
  groupOf: (id) => toDocumentKey(id).scratchId,
  async around(call: Call, ids, reach) {
    const cells = ids.flatMap((id) => {
      const { scratchId, cellId } = toDocumentKey(id);
      return cellId === undefined ? [] : [[scratchId, cellId] as const];
    });
    const around = new Map<string, { readonly before: string[]; readonly after: string[] }>();
    if (cells.length === 0) return around;
    const rows = await storage.read(call, (db) => listNeighbours(db, cells, reach));
    for (const { scratch_id, asked_id, cell_id, distance } of rows) {
      const id = cellDocumentId(scratch_id, asked_id);
      const found = around.get(id) ?? { before: [], after: [] };
      around.set(id, found);
      const places = Number(distance);
      (places < 0 ? found.before : found.after)[Math.abs(places) - 1] = cellDocumentId(scratch_id, cell_id);
    }
    return around;
  },
});
