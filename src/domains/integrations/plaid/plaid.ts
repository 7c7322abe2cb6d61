import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { ItemFilter, PlaidItemRow } from './plaid-item-store.ts';
import { createPlaidItems, type PlaidDeps, throwPlaidFault } from './plaid-items.ts';
import { createItemSync, type ItemSync } from './sync-item.ts';

export interface LinkInput {
  readonly user_id?: string | undefined;
  readonly client_name?: string | undefined;
  readonly access_token?: string | undefined;
  readonly plaid_item_id?: string | undefined;
  readonly products?: readonly string[] | undefined;
  readonly redirect_uri?: string | undefined;
}

export interface SyncInput extends ItemFilter {
  readonly sync_all: boolean;
  readonly force_full_sync: boolean;
}

interface Account {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly subtype: string;
}

const toConnected = (item: PlaidItemRow) => ({
  id: item.id,
  item_id: item.item_id,
  institution_name: item.institution_name ?? '',
  accounts: JSON.parse(item.accounts ?? '[]') as readonly Account[],
});

const toListed = (item: PlaidItemRow) => ({
  id: item.id,
  item_id: item.item_id,
  institution_id: item.institution_id ?? '',
  institution_name: item.institution_name ?? '',
  products: JSON.parse(item.products) as readonly string[],
  last_successful_sync: item.synced_at === null ? null : toIso(item.synced_at),
  status: item.status,
});

const toSynced = ({ fault, ...sync }: ItemSync) => ({
  ...sync,
  status: fault === undefined ? ('success' as const) : ('failed' as const),
  ...(fault !== undefined && { error: `${fault.code}: ${fault.message}` }),
});

/** The fault says what was stored before it. */
const withSummary = (fault: Fault, { plaid_item_id, summary }: ItemSync): Fault =>
  new Fault(fault.kind, fault.message, { ...fault.details, plaid_item_id, summary }, { cause: fault });

/** Transactions of banks, through Plaid. */
export function createPlaid(deps: PlaidDeps) {
  const items = createPlaidItems(deps);
  const syncItem = createItemSync(deps, items);

  async function createLinkToken(input: LinkInput, call: Call) {
    const { user_id, client_name = 'Fourfold', plaid_item_id, redirect_uri } = input;
    const client = await items.client();
    const item = plaid_item_id === undefined ? undefined : await items.expectItem({ plaid_item_id }, call);
    const access_token = item === undefined ? input.access_token : items.openToken(item, call);
    // Plaid rejects products in update mode, in which the bank already has some.
    const products = input.products ?? (access_token === undefined ? ['transactions'] : undefined);
    const { link_token, expiration } = await client
      .createLinkToken(
        {
          client_name,
          language: 'en',
          country_codes: deps.plaid.countryCodes,
          // Plaid asks for an id that does not name the person.
          user: { client_user_id: user_id ?? sha256Hex(call.tenant).slice(0, 32) },
          products,
          access_token,
          redirect_uri,
        },
        call.signal,
      )
      .catch(throwPlaidFault(input.access_token !== undefined));
    return { link_token, expiration };
  }

  async function exchange(input: { public_token: string; trigger_initial_sync: boolean }, call: Call) {
    const connected = await items.connect(input.public_token, call);
    const item = await items.withDetails(connected, call).catch(throwPlaidFault());
    const plaid_item = toConnected(item);
    if (!input.trigger_initial_sync) return { plaid_item };
    const { summary, fault } = await syncItem(item, false, call);
    return {
      plaid_item,
      sync_summary: summary,
      ...(fault !== undefined && { sync_error: `${fault.code}: ${fault.message}` }),
    };
  }

  async function sync({ sync_all, force_full_sync, ...filter }: SyncInput, call: Call) {
    const isNamed = filter.plaid_item_id !== undefined || filter.item_id !== undefined;
    if (isNamed === sync_all) {
      throw faults.VALIDATION_ERROR({ why: 'Give either plaid_item_id or item_id of one bank, or sync_all: true' });
    }
    await items.client();
    if (isNamed) {
      const done = await syncItem(await items.expectItem(filter, call), force_full_sync, call);
      if (done.fault !== undefined) throw withSummary(done.fault, done);
      return { syncs: [toSynced(done)], total_synced_items: 1 };
    }
    const syncs: ReturnType<typeof toSynced>[] = [];
    for (const item of await items.list({}, call)) syncs.push(toSynced(await syncItem(item, force_full_sync, call)));
    return { syncs, total_synced_items: syncs.filter(({ status }) => status === 'success').length };
  }

  return {
    createLinkToken,
    exchange,
    sync,
    list: async (filter: ItemFilter, call: Call) => ({ items: (await items.list(filter, call)).map(toListed) }),
  };
}
