import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { type Cursors, cursorFix } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { cutBeginning } from '#kernel/text/budget.ts';
import { contextLimits } from '../context-limits.ts';
import type { Memories } from '../memories.ts';
import { compareReceipts, type Difference } from './compare-receipts.ts';
import type { Receipt, ReceiptItem, StoredReceipt } from './receipt.ts';
import type { ReceiptBook } from './receipt-book.ts';
import { findReceipt, listReceipts, type ReceiptKey, type ReceiptRow } from './receipt-store.ts';

export interface ReceiptsDeps {
  readonly storage: Pick<Storage, 'read'>;
  readonly cursors: () => Cursors;
  readonly memories: Pick<Memories, 'writes' | 'factNames' | 'padTitles' | 'actorNames'>;
  /** Missing if no receipts are kept; older ones can still be read. */
  readonly book: Pick<ReceiptBook, 'flush'> | undefined;
}

const toStored = ({ receipt_id, at, actor, document }: ReceiptRow): StoredReceipt => ({
  ...(JSON.parse(document) as Omit<Receipt, 'receipt_id'>),
  receipt_id,
  at,
  actor,
});

const cursorShape = z.strictObject({ at: z.int(), receipt_id: z.string() });

/** Above every id. */
const beforeAll: ReceiptKey = { at: Number.MAX_SAFE_INTEGER, receipt_id: '' };

const sumOf = (counts: Readonly<Record<string, number>> = {}): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

const toSummary = ({ receipt_id, at, actor, arguments: args, tokens, items, left_out }: StoredReceipt) => ({
  receipt_id,
  at: new Date(at).toISOString(),
  actor,
  task: cutBeginning(args.task, contextLimits.shownTaskChars),
  budget_tokens: args.budget_tokens,
  tokens,
  items_count: items.length,
  left_out_count: sumOf(left_out),
});

type Named = Pick<ReceiptItem, 'memory' | 'id'>;

const noNames: ReadonlyMap<string, string> = new Map();
/** `pad/cell`. */
const padOf = (id: string): string => id.split('/', 1)[0]!;

export function createReceipts({ storage, cursors, memories, book }: ReceiptsDeps) {
  async function load(receiptId: string, call: Call): Promise<StoredReceipt> {
    await book?.flush();
    const row = await storage.read(call, (db) => findReceipt(db, receiptId));
    if (row !== undefined) return toStored(row);
    const fix = 'recall_receipts lists the receipts that are kept; older ones are deleted.';
    throw faults.NOT_FOUND({ what: `receipt ${receiptId}` }, { fix });
  }

  /** Entities and inboxes have ids that say nothing. A cell is named after its pad. */
  async function nameItems(items: readonly Named[], call: Call) {
    const idsOf = (memory: Named['memory']) => [
      ...new Set(items.filter((item) => item.memory === memory).map(({ id }) => id)),
    ];
    const entityIds = idsOf('truth');
    const padIds = [...new Set(idsOf('notebooks').map(padOf))];
    const names = entityIds.length === 0 ? noNames : await memories.factNames(entityIds, call);
    const titles = padIds.length === 0 ? noNames : await memories.padTitles(padIds, call);
    return <T extends Named>(item: T): T & { readonly name?: string } => {
      const name = item.memory === 'notebooks' ? titles.get(padOf(item.id)) : names.get(item.id);
      return name === undefined ? item : { ...item, name };
    };
  }

  async function nameActors(actors: readonly string[], call: Call) {
    const names = await memories.actorNames([...new Set(actors)], call);
    return <T extends { readonly actor: string }>(one: T): T & { readonly actor_name?: string } => {
      const actor_name = names.get(one.actor);
      return actor_name === undefined ? one : { ...one, actor_name };
    };
  }

  function openCursor(cursor: string | undefined, call: Call): ReceiptKey {
    if (cursor === undefined) return beforeAll;
    const parsed = cursorShape.safeParse(cursors().open(call.tool, call.tenant, cursor));
    if (!parsed.success) throw faults.INVALID_PARAMS({ why: 'the cursor is from another version' }, { fix: cursorFix });
    return parsed.data;
  }

  return {
    async get({ receipt_id }: { readonly receipt_id: string }, call: Call) {
      const receipt = await load(receipt_id, call);
      const { arguments: args, seq, incomplete, left_out, left_out_items } = receipt;
      const named = await nameItems([...receipt.items, ...left_out_items], call);
      const byName = await nameActors([receipt.actor], call);
      return {
        ...byName(toSummary(receipt)),
        arguments: args,
        ...(incomplete && { incomplete }),
        seq,
        items: receipt.items.map(({ log_id: _logId, ...item }) => named(item)),
        ...(left_out && { left_out }),
        left_out_items: left_out_items.map(named),
      };
    },

    async list({ limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined }, call: Call) {
      const after = openCursor(cursor, call);
      await book?.flush();
      const rows = await storage.read(call, (db) => listReceipts(db, after, limit + 1));
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const next = rows.length > limit && last !== undefined ? { at: last.at, receipt_id: last.receipt_id } : undefined;
      const byName = await nameActors(
        page.map(({ actor }) => actor),
        call,
      );
      return {
        receipts: page.map((row) => byName(toSummary(toStored(row)))),
        ...(next && { next_cursor: cursors().seal(call.tool, call.tenant, next) }),
      };
    },

    async compare({ a, b }: { readonly a: string; readonly b: string }, call: Call) {
      const [first, second] = [await load(a, call), await load(b, call)];
      const named = await nameItems([...first.items, ...second.items], call);
      const { appeared, vanished, changed, ...rest } = await compareReceipts(first, second, (items, range) =>
        memories.writes(items, call, range),
      );
      const writers = [...appeared, ...vanished, ...changed].flatMap(({ write }) => write?.actor ?? []);
      const byName = await nameActors([first.actor, second.actor, ...writers], call);
      const show = ({ write, ...item }: Difference) => named({ ...item, ...(write && { write: byName(write) }) });
      return {
        a: byName(toSummary(first)),
        b: byName(toSummary(second)),
        ...rest,
        appeared: appeared.map(show),
        vanished: vanished.map(show),
        changed: changed.map(show),
      };
    },
  };
}
