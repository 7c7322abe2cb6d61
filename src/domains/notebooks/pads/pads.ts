import type { Call } from '#kernel/call.ts';
import { type AppendInput, createAppend, type WriteAnswer } from './append-cell.ts';
import { type CreateAnswer, type CreateInput, createPadCreation } from './create-pad.ts';
import { refuseMoved } from './expect-pad.ts';
import { createListing, type ListAnswer, type ListInput, type TagsAnswer } from './listing/list-pads.ts';
import type { PadParts } from './pad-parts.ts';
import { findTotals, type TotalsRow } from './pad-store.ts';
import { type CellFilter, createReading, type ListCellsAnswer, type ReadAnswer, type ReadInput } from './read-pad.ts';
import { takePad } from './removal/pad-trash-store.ts';
import { clearPad } from './removal/remove-pad.ts';
import { createRestore, type RestoreInput, type TrashedPad } from './removal/restore-pad.ts';
import { createReplace, type ReplaceInput } from './replace-cell.ts';

interface DeleteInput {
  readonly scratch_id: string;
  readonly expected_revision?: number | undefined;
}

interface DeleteAnswer {
  readonly ok: true;
  readonly scratch_id: string;
  readonly deleted: boolean;
}

const createDeletion =
  ({ storage, documents }: PadParts) =>
  async ({ scratch_id, expected_revision }: DeleteInput, call: Call): Promise<DeleteAnswer> => {
    const deleted = await storage.write(call, function* (db) {
      const pad = yield* takePad(db, scratch_id);
      if (pad === undefined) return false;
      refuseMoved(scratch_id, pad.revision, expected_revision);
      yield* documents.drop(db, yield* clearPad(db, pad, 'delete', call.actor));
      return true;
    });
    return { ok: true, scratch_id, deleted };
  };

/** Pads and their cells. Every answer is of the caller's tenant alone. */
export interface Pads {
  create(input: CreateInput, call: Call): Promise<CreateAnswer>;
  /** At once, when the pad was read before and nothing was changed since. */
  read(input: ReadInput, call: Call): ReadAnswer | Promise<ReadAnswer>;
  listCells(input: CellFilter & { readonly scratch_id: string }, call: Call): Promise<ListCellsAnswer>;
  append(input: AppendInput, call: Call): Promise<WriteAnswer>;
  replace(input: ReplaceInput, call: Call): Promise<WriteAnswer>;
  delete(input: DeleteInput, call: Call): Promise<DeleteAnswer>;
  list(input: ListInput, call: Call): Promise<ListAnswer>;
  tags(input: Pick<ListInput, 'namespaces'>, call: Call): Promise<TagsAnswer>;
  /** What can still come back, newest first. */
  trashed(input: { readonly limit?: number; readonly before?: TrashedPad }, call: Call): Promise<readonly TrashedPad[]>;
  /** CONFLICT when the id is taken. */
  restore(input: RestoreInput, call: Call): Promise<WriteAnswer>;
  totals(call: Call): Promise<TotalsRow>;
  /** Writes down what only memory knows yet. */
  close(): Promise<void>;
}

export function createPads(parts: PadParts): Pads {
  const { storage, access } = parts;
  const { list, tags } = createListing(parts);
  return {
    create: createPadCreation(parts),
    ...createReading(parts),
    append: createAppend(parts),
    replace: createReplace(parts),
    delete: createDeletion(parts),
    list,
    tags,
    ...createRestore(parts),
    async totals(call) {
      const found = await storage.read(call, function* (db) {
        return yield* findTotals(db);
      });
      return found ?? { pads_count: 0, cells_count: 0 };
    },
    close: () => access.close(),
  };
}
