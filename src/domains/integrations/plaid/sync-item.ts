import { type Call, withoutKey } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { integrationFaults } from '../integration-faults.ts';
import type { TransactionsPage } from './plaid-answers.ts';
import type { PlaidClient } from './plaid-client.ts';
import {
  findTransactions,
  finishSync,
  type PlaidItemRow,
  savePageCursor,
  saveStatus,
  saveTransactions,
} from './plaid-item-store.ts';
import { type PlaidDeps, type PlaidItems, unaudited } from './plaid-items.ts';
import { plaidLimits } from './plaid-limits.ts';
import { PlaidProblem, toItemStatus, toPlaidFault } from './plaid-problem.ts';
import { planPage, type SyncSummary } from './plan-page.ts';

export interface ItemSync {
  readonly plaid_item_id: string;
  readonly item_id: string;
  readonly summary: SyncSummary;
  readonly next_cursor: string;
  /** Missing if all went well. */
  readonly fault?: Fault;
}

/** Faults of the call, not of the item: the other items would fail too. */
const ofCall: ReadonlySet<string> = new Set(
  [faults.CANCELLED, faults.TIMEOUT, faults.SHUTTING_DOWN].map(({ kind }) => kind.code),
);

const isDocumented = ({ code }: Fault): boolean =>
  code.startsWith('PLAID_') || code === integrationFaults.SYNC_FAILED.kind.code;

function toSyncFault(error: unknown): Fault {
  if (error instanceof PlaidProblem) return toPlaidFault(error);
  if (!(error instanceof Fault) || ofCall.has(error.code)) throw error;
  if (isDocumented(error)) return error;
  return integrationFaults.SYNC_FAILED({ why: error.message }, { cause_code: error.code }, { cause: error });
}

const isChangedMeanwhile = (error: unknown): boolean =>
  error instanceof PlaidProblem && error.code === 'TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION';

/** Copies of a call keep the deadline of their time, so each write gets its own. Pages that are stored are progress. */
const toWriteCall = (call: Call, signal: AbortSignal): Call => ({ ...withoutKey(call), effect: undefined, signal });

/** Fetches the transactions of one bank. */
export function createItemSync({ clock, leases, sink }: PlaidDeps, items: PlaidItems) {
  async function storePage(page: TransactionsPage, item: PlaidItemRow, call: Call): Promise<SyncSummary> {
    const ids = [...page.added, ...page.modified, ...page.removed].map(({ transaction_id }) => transaction_id);
    const known =
      ids.length === 0 ? [] : await items.read(call, (db) => findTransactions(db, item.id, [...new Set(ids)]));
    const plan = planPage(page, item, known, clock.now());
    const { payloadBatchCount } = plaidLimits;
    const lastAt = Math.max(0, plan.payloads.length - payloadBatchCount);
    for (let at = 0; at < lastAt; at += payloadBatchCount) {
      await sink.submit(plan.payloads.slice(at, Math.min(at + payloadBatchCount, lastAt)), call);
    }
    const last = plan.payloads.slice(lastAt);
    // With the last payloads: if the program ends before this, the page comes again, and its first payloads add nothing.
    await sink.submit(last, last.length === 0 ? unaudited(call) : call, function* (db) {
      if (plan.known.length > 0) yield* saveTransactions(db, item.id, plan.known);
      const { next_cursor, has_more } = page;
      if (has_more) yield* savePageCursor(db, item.id, item.cursor, next_cursor);
      else yield* finishSync(db, item.id, next_cursor === '' ? null : next_cursor);
    });
    return plan.summary;
  }

  /** From the first page, or after the last page of a sync that was cut off. */
  async function fetchPages(
    client: PlaidClient,
    item: PlaidItemRow,
    progress: Progress,
    call: Call,
    lost: AbortSignal,
  ) {
    const signal = AbortSignal.any([call.signal, lost]);
    const token = items.openToken(item, call);
    let cursor = item.page_cursor ?? item.cursor;
    const seen = new Set([cursor]);
    for (;;) {
      signal.throwIfAborted();
      const page = await client.transactions(token, cursor, signal);
      progress.pagesCount += 1;
      if (page.has_more && (page.next_cursor === '' || seen.has(page.next_cursor))) {
        throw integrationFaults.SYNC_FAILED({ why: 'Plaid answers with the same page again and again' });
      }
      const { added, modified, removed } = await storePage(page, item, toWriteCall(call, signal));
      progress.add(added, modified, removed);
      cursor = page.next_cursor;
      progress.cursor = cursor;
      if (!page.has_more) return;
      seen.add(cursor);
      call.progress(progress.summary.added + progress.summary.modified, undefined, 'fetching transactions');
      if (progress.pagesCount >= plaidLimits.pagesCount) {
        throw integrationFaults.SYNC_FAILED({ why: `Plaid has more than ${plaidLimits.pagesCount} pages; call again` });
      }
    }
  }

  async function fetchAll(given: PlaidItemRow, isFull: boolean, progress: Progress, call: Call, lost: AbortSignal) {
    const client = await items.client();
    let item = await items.withDetails(given, toWriteCall(call, call.signal));
    const startAt = async (cursor: string | null): Promise<void> => {
      item = { ...item, cursor, page_cursor: null };
      await items.write(unaudited(toWriteCall(call, call.signal)), (db) => savePageCursor(db, item.id, cursor, null));
    };
    if (isFull) await startAt(null);
    for (let restarts = 0; ; restarts += 1) {
      try {
        return await fetchPages(client, item, progress, call, lost);
      } catch (error) {
        if (!isChangedMeanwhile(error) || restarts === plaidLimits.restartsCount) throw error;
        // Plaid asks for the first page of this sync again. What was stored meanwhile adds nothing.
        await startAt(item.cursor);
      }
    }
  }

  async function noteStatus(problem: PlaidProblem, id: string, call: Call): Promise<void> {
    const status = toItemStatus(problem);
    if (status === undefined) return;
    await items.write(unaudited(toWriteCall(call, call.signal)), (db) => saveStatus(db, id, status));
  }

  /** One sync per bank at a time, in all processes. Failures are part of the answer. */
  return async (found: PlaidItemRow, isFull: boolean, call: Call): Promise<ItemSync> => {
    const progress = createProgress(found.page_cursor ?? found.cursor);
    const answer = () => ({
      plaid_item_id: found.id,
      item_id: found.item_id,
      summary: progress.summary,
      next_cursor: progress.cursor ?? '',
    });
    try {
      const name = `plaid-item:${call.tenant}:${found.id}`;
      const held = await leases.hold(name, plaidLimits.leaseMs, async (lost) => {
        // Another process may have finished a sync since the item was read.
        const item = await items.expectItem({ plaid_item_id: found.id }, call);
        await fetchAll(item, isFull, progress, call, lost).catch((error: unknown) => {
          if (!lost.aborted) throw error;
          throw integrationFaults.SYNC_FAILED({ why: 'the store could not be reached for some time' });
        });
        return true;
      });
      if (held === undefined) {
        const why = `another sync of this bank is running, or was killed in the last ${plaidLimits.leaseMs / 1_000} seconds`;
        throw integrationFaults.SYNC_FAILED({ why });
      }
      return answer();
    } catch (error) {
      if (error instanceof PlaidProblem) await noteStatus(error, found.id, call);
      return { ...answer(), fault: toSyncFault(error) };
    }
  };
}

interface Progress {
  readonly summary: SyncSummary;
  cursor: string | null;
  pagesCount: number;
  add(added: number, modified: number, removed: number): void;
}

function createProgress(cursor: string | null): Progress {
  const summary = { added: 0, modified: 0, removed: 0 };
  return {
    summary,
    cursor,
    pagesCount: 0,
    add(added, modified, removed) {
      summary.added += added;
      summary.modified += modified;
      summary.removed += removed;
    },
  };
}
