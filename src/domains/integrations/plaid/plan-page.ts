import { toIso } from '#kernel/clock/clock.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { IncomingPayload } from '../payload-sink.ts';
import type { PlaidTransaction, RemovedTransaction, TransactionsPage } from './plaid-answers.ts';
import type { KnownTransaction, PlaidItemRow } from './plaid-item-store.ts';

export interface SyncSummary {
  readonly added: number;
  readonly modified: number;
  readonly removed: number;
}

type Body = IncomingPayload['body'] & { readonly transaction_id: string };

/** Posted transactions keep Plaid's sign: money that leaves the account is positive. */
function toBody(transaction: PlaidTransaction, institution: string | null): Body {
  const category = transaction.personal_finance_category;
  const merchant = transaction.merchant_name;
  return {
    transaction_id: transaction.transaction_id,
    amount: transaction.amount,
    currency: transaction.iso_currency_code ?? transaction.unofficial_currency_code,
    merchant_name: merchant,
    merchant_website: merchant === undefined ? undefined : transaction.website,
    counterparty: merchant === undefined ? transaction.counterparties?.find(({ name }) => name)?.name : undefined,
    date: transaction.date,
    posted_date: transaction.pending ? undefined : transaction.date,
    authorized_date: transaction.authorized_date ?? undefined,
    category: category?.primary,
    category_detailed: category?.detailed,
    account_id: transaction.account_id,
    institution_name: institution ?? undefined,
    status: transaction.pending ? 'pending' : 'posted',
    balance: transaction.running_balance ?? undefined,
    description: transaction.name,
    payment_channel: transaction.payment_channel,
    pending_transaction_id: transaction.pending_transaction_id ?? undefined,
  };
}

const toRemovedBody = ({ transaction_id, account_id }: RemovedTransaction): Body => ({
  transaction_id,
  account_id: account_id ?? undefined,
  status: 'removed',
});

/** Undefined members are not part of the JSON. */
const written = (body: Body): IncomingPayload['body'] =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

const dayMs = 24 * 60 * 60 * 1_000;

interface PagePlan {
  readonly payloads: readonly IncomingPayload[];
  readonly known: readonly KnownTransaction[];
  readonly summary: SyncSummary;
}

type PlannedItem = Pick<PlaidItemRow, 'item_id' | 'institution_name' | 'synced_at' | 'created_at'>;

/**
 * The payloads of one page. A version that is already known adds nothing. The time of a payload follows from the
 * transaction and the versions before it, not from the clock: if the same page comes again, because the program was
 * killed before it could record the page, its payloads are the same. Each version is later than the one before, even if
 * the bank moved the transaction to an earlier date, so the newest one wins.
 */
export function planPage(
  page: TransactionsPage,
  item: PlannedItem,
  knownBefore: readonly KnownTransaction[],
  now: number,
): PagePlan {
  const known = new Map(knownBefore.map((one) => [one.transaction_id, one]));
  const touched = new Set<string>();
  const payloads: IncomingPayload[] = [];
  const summary = { added: 0, modified: 0, removed: 0 };

  /** A date too far in the future, which the store refuses, counts as observed at the sync before. */
  function ownTime({ date, datetime }: PlaidTransaction): number {
    const at = Date.parse(datetime ?? `${date}T00:00:00Z`);
    return at > now + dayMs ? (item.synced_at ?? item.created_at) : at;
  }

  function add(body: Body, at: number | undefined, isRemoved: boolean): void {
    const id = body.transaction_id;
    const before = known.get(id);
    const whole = written(body);
    const hash = sha256Hex(canonicalJson(isRemoved ? ['removed'] : { ...whole }));
    if (before?.hash === hash) return;
    const earliest = before === undefined ? item.created_at : before.observed_at + 1;
    const observedAt = before === undefined ? (at ?? earliest) : Math.max(at ?? earliest, earliest);
    payloads.push({
      capability_id: 'neotoma:store_transaction:v1',
      body: whole,
      provenance: {
        source_refs: [`plaid:${item.item_id}`],
        extracted_at: toIso(observedAt),
        extractor_version: 'plaid-transactions-sync:v1',
        agent_id: 'plaid',
      },
    });
    known.set(id, { transaction_id: id, hash, observed_at: observedAt });
    touched.add(id);
    summary[isRemoved ? 'removed' : before === undefined ? 'added' : 'modified'] += 1;
  }

  for (const transaction of [...page.added, ...page.modified]) {
    add(toBody(transaction, item.institution_name), ownTime(transaction), false);
  }
  for (const transaction of page.removed) add(toRemovedBody(transaction), undefined, true);
  return { payloads, known: [...touched].map((id) => known.get(id)!), summary };
}
