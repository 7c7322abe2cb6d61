import type { Migration } from '#kernel/storage/migration.ts';

/**
 * A search adds the scores of neighbouring cells, and a write answers with the cells around its change, so cells are
 * found by their position. Their search documents have a
 * new field (the date, the speaker and the title of the pad): the next search of notebooks builds its index again.
 */
export const cellOrder: Migration = {
  id: 26,
  name: 'cell-order',
  tenantTables: [],
  up: () => [
    'create index notebook_cells_by_position on notebook_cells (tenant, pad_key, position, cell_id)',
    "update search_heads set merged = -1, generation = generation + 1 where collection = 'notebooks'",
  ],
};
