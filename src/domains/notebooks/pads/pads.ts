import type { Call } from '#kernel/call.ts';
import { type AppendInput, createAppend, type WriteAnswer } from './append-cell.ts';
import { type CreateAnswer, type CreateInput, createPadCreation } from './create-pad.ts';
import { createPadListing, type ListAnswer, type ListInput, type TagsAnswer } from './list-pads.ts';
import type { PadContext } from './pad-context.ts';
import { expectRevision } from './pad-faults.ts';
import { findTotals, type TotalsRow, takePad } from './pad-store.ts';
import { type CellFilter, createPadReader, type ListCellsAnswer, type ReadAnswer, type ReadInput } from './read-pad.ts';
import { trashPad } from './remove-pad.ts';
import { createReplace, type ReplaceInput } from './replace-cell.ts';
import { createTrash, type RestoreInput, type TrashedPad } from './restore-pad.ts';

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
  ({ storage, documents }: PadContext) =>
  async ({ scratch_id, expected_revision }: DeleteInput, call: Call): Promise<DeleteAnswer> => {
    const deleted = await storage.write(call, function* (db) {
      const pad = yield* takePad(db, scratch_id);
      if (pad === undefined) return false;
      expectRevision(scratch_id, pad.revision, expected_revision);
      yield* documents.drop(db, yield* trashPad(db, pad, 'delete', call.actor));
      return true;
    });
    return { ok: true, scratch_id, deleted };
  };

export interface Pads {
  create(input: CreateInput, call: Call): Promise<CreateAnswer>;
  /** Synchronous for a cached pad. */
  read(input: ReadInput, call: Call): ReadAnswer | Promise<ReadAnswer>;
  listCells(input: CellFilter & { readonly scratch_id: string }, call: Call): Promise<ListCellsAnswer>;
  append(input: AppendInput, call: Call): Promise<WriteAnswer>;
  replace(input: ReplaceInput, call: Call): Promise<WriteAnswer>;
  delete(input: DeleteInput, call: Call): Promise<DeleteAnswer>;
  list(input: ListInput, call: Call): Promise<ListAnswer>;
  tags(input: Pick<ListInput, 'namespaces'>, call: Call): Promise<TagsAnswer>;
  /** Newest first. */
  trashed(input: { readonly limit?: number; readonly before?: TrashedPad }, call: Call): Promise<readonly TrashedPad[]>;
  /** CONFLICT when the id is taken. */
  restore(input: RestoreInput, call: Call): Promise<WriteAnswer>;
  totals(call: Call): Promise<TotalsRow>;
  /** Writes pending access times. */
  close(): Promise<void>;
}

export function createPads(context: PadContext): Pads {
  const { storage, access } = context;
  const { list, tags } = createPadListing(context);
  return {
    create: createPadCreation(context),
    ...createPadReader(context),
    append: createAppend(context),
    replace: createReplace(context),
    delete: createDeletion(context),
    list,
    tags,
    ...createTrash(context),
    async totals(call) {
      return (await storage.read(call, findTotals)) ?? { pads_count: 0, cells_count: 0 };
    },
    close: () => access.close(),
  };
}
