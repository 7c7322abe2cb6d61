import type { Work, Writer } from '#kernel/storage/port.ts';
import { deleteRememberedItems } from '../remember/remembered-store.ts';
import { deleteReceipts, listReceipts, type ReceiptKey } from './receipt-store.ts';

const pageCount = 1_000;

/** Removes receipts that name one of these items, and what was remembered as one of them. Returns how many. */
export function* forgetReceipts(
  db: Writer,
  { ids, isConcerned }: { readonly ids: ReadonlySet<string>; isConcerned(text: string): boolean },
): Work<number> {
  let count = yield* deleteRememberedItems(
    db,
    [...ids].flatMap((id) => [id, `record:${id}`]),
  );
  for (let last: ReceiptKey = { at: Number.MAX_SAFE_INTEGER, receipt_id: '' }; ; ) {
    const rows = yield* listReceipts(db, last, pageCount);
    const gone = rows.filter(({ document }) => isConcerned(document)).map(({ receipt_id }) => receipt_id);
    if (gone.length > 0) count += yield* deleteReceipts(db, gone);
    if (rows.length < pageCount) return count;
    last = rows.at(-1)!;
  }
}
