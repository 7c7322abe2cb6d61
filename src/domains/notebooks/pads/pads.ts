import type { Call } from '#kernel/call.ts';
import type { RestoreCall } from '#kernel/tool/restore-call.ts';
import { type AppendInput, createAppend, type WriteAnswer } from './append-cell.ts';
import { type CreateAnswer, type CreateInput, createPadCreation } from './create-pad.ts';
import { createCellRemoval, type DeleteCellInput, type RestoreCellInput } from './delete-cell.ts';
import { createDescription, type DescribeAnswer, type DescribeInput } from './describe-pad.ts';
import { createPadListing, type ListAnswer, type ListInput, type TagsAnswer } from './list-pads.ts';
import { createCellMove, type MoveAnswer, type MoveInput } from './move-cell.ts';
import type { PadContext } from './pad-context.ts';
import { expectRevision } from './pad-faults.ts';
import { findTotals, listTitles, type TotalsRow, takePad } from './pad-store.ts';
import {
  createPadReader,
  type ListCellsAnswer,
  type ListCellsInput,
  type ReadAnswer,
  type ReadInput,
} from './read-pad.ts';
import { toPadRestore, trashPad } from './remove-pad.ts';
import { createReplace, type ReplaceInput } from './replace-cell.ts';
import { createTrash, type RestoreInput, type TrashedPad, type TrashPage, type TrashPageInput } from './restore-pad.ts';

interface DeleteInput {
  readonly scratch_id: string;
  readonly expected_revision?: number | undefined;
}

interface DeleteAnswer {
  readonly ok: true;
  readonly scratch_id: string;
  readonly deleted: boolean;
  readonly restore?: RestoreCall;
}

const createDeletion =
  ({ storage, documents }: PadContext) =>
  async ({ scratch_id, expected_revision }: DeleteInput, call: Call): Promise<DeleteAnswer> => {
    const copy = await storage.write(call, function* (db) {
      const pad = yield* takePad(db, scratch_id);
      if (pad === undefined) return null;
      expectRevision(scratch_id, pad.revision, expected_revision);
      yield* documents.drop(db, yield* trashPad(db, pad, 'delete', call.actor));
      return pad.pad_key;
    });
    if (copy === null) return { ok: true, scratch_id, deleted: false };
    return { ok: true, scratch_id, deleted: true, restore: toPadRestore({ scratch_id, copy }) };
  };

export interface Pads {
  create(input: CreateInput, call: Call): Promise<CreateAnswer>;
  /** Synchronous for a cached pad. */
  read(input: ReadInput, call: Call): ReadAnswer | Promise<ReadAnswer>;
  listCells(input: ListCellsInput, call: Call): Promise<ListCellsAnswer>;
  append(input: AppendInput, call: Call): Promise<WriteAnswer>;
  replace(input: ReplaceInput, call: Call): Promise<WriteAnswer>;
  moveCell(input: MoveInput, call: Call): Promise<MoveAnswer>;
  describe(input: DescribeInput, call: Call): Promise<DescribeAnswer>;
  deleteCell(input: DeleteCellInput, call: Call): Promise<WriteAnswer>;
  restoreCell(input: RestoreCellInput, call: Call): Promise<WriteAnswer>;
  delete(input: DeleteInput, call: Call): Promise<DeleteAnswer>;
  list(input: ListInput, call: Call): Promise<ListAnswer>;
  tags(input: Pick<ListInput, 'namespaces'>, call: Call): Promise<TagsAnswer>;
  /** Titles by id; a pad without one is missing. */
  titles(scratchIds: readonly string[], call: Call): Promise<ReadonlyMap<string, string>>;
  /** Newest first. */
  trashed(input: { readonly limit?: number; readonly before?: TrashedPad }, call: Call): Promise<readonly TrashedPad[]>;
  trashPage(input: TrashPageInput, call: Call): Promise<TrashPage>;
  /** CONFLICT when the id is taken. */
  restore(input: RestoreInput, call: Call): Promise<WriteAnswer>;
  totals(call: Call): Promise<TotalsRow>;
  /** Writes pending access times. */
  close(): Promise<void>;
}

export function createPads(context: PadContext): Pads {
  const { storage, access } = context;
  const { list, tags } = createPadListing(context);
  const create = createPadCreation(context);
  const replacing = createReplace(context);
  return {
    create,
    ...createPadReader(context),
    append: createAppend(context, create),
    replace: replacing.run,
    moveCell: createCellMove(context),
    describe: createDescription(context),
    ...createCellRemoval(context, replacing),
    delete: createDeletion(context),
    list,
    tags,
    async titles(scratchIds, call) {
      const rows = await storage.read(call, (db) => listTitles(db, scratchIds));
      return new Map(rows.flatMap(({ scratch_id, title }) => (title ? [[scratch_id, title] as const] : [])));
    },
    ...createTrash(context),
    async totals(call) {
      return (await storage.read(call, findTotals)) ?? { pads_count: 0, cells_count: 0 };
    },
    close: () => access.close(),
  };
}
