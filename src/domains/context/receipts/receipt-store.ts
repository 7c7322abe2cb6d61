import type { Reader, Work, Writer } from '#kernel/storage/port.ts';
import { list, sql, values } from '#kernel/storage/sql.ts';

export interface ReceiptKey {
  readonly at: number;
  readonly receipt_id: string;
}

export interface ReceiptRow extends ReceiptKey {
  readonly actor: string;
  /** JSON; see `Receipt`. */
  readonly document: string;
}

export const findReceipt = (db: Reader, receiptId: string) =>
  db.get(sql<ReceiptRow>`
    select receipt_id, at, actor, document from recall_receipts
    where tenant = ${db.tenant} and receipt_id = ${receiptId}`);

/** Newest first, older than the key. */
export const listReceipts = (db: Reader, { at, receipt_id }: ReceiptKey, limit: number) =>
  db.all(sql<ReceiptRow>`
    select receipt_id, at, actor, document from recall_receipts
    where tenant = ${db.tenant} and (at, receipt_id) < (${at}, ${receipt_id})
    order by at desc, receipt_id desc limit ${limit}`);

const insertReceipts = (db: Writer, rows: readonly ReceiptRow[]) =>
  db.run(sql`
    insert into recall_receipts (tenant, receipt_id, at, actor, document)
    values ${values(rows.map(({ receipt_id, at, actor, document }) => [db.tenant, receipt_id, at, actor, document]))}
    on conflict do nothing`);

/** The newest one that is too many. */
const findExcess = (db: Reader, keepCount: number) =>
  db.get(sql<ReceiptKey>`
    select at, receipt_id from recall_receipts where tenant = ${db.tenant}
    order by at desc, receipt_id desc limit 1 offset ${keepCount}`);

const deleteUpTo = (db: Writer, { at, receipt_id }: ReceiptKey) =>
  db.run(sql`
    delete from recall_receipts where tenant = ${db.tenant} and (at, receipt_id) <= (${at}, ${receipt_id})`);

export function* saveReceipts(db: Writer, rows: readonly ReceiptRow[], keepCount: number): Work<void> {
  yield* insertReceipts(db, rows);
  const excess = yield* findExcess(db, keepCount);
  if (excess !== undefined) yield* deleteUpTo(db, excess);
}

export const deleteReceipts = (db: Writer, receiptIds: readonly string[]) =>
  db.run(sql`delete from recall_receipts where tenant = ${db.tenant} and receipt_id in ${list(receiptIds)}`);
