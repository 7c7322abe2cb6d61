import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Ids } from '#kernel/ids/ids.ts';
import type { Leases } from '#kernel/jobs/leases.ts';
import type { SealedText } from '#kernel/keys/sealed-text.ts';
import { databaseFaults, throwDatabaseFault } from '#kernel/storage/database-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { PayloadSink } from '../payload-sink.ts';
import { createPlaidClient, type PlaidAccess, type PlaidClient } from './plaid-client.ts';
import { plaidFaults } from './plaid-faults.ts';
import {
  countItems,
  findByPublicToken,
  findItems,
  type ItemDetails,
  type ItemFilter,
  type PlaidItemRow,
  saveDetails,
  saveItem,
} from './plaid-item-store.ts';
import { plaidLimits } from './plaid-limits.ts';
import { PlaidProblem, toPlaidFault } from './plaid-problem.ts';

/** What the operator configured. */
export interface PlaidSource {
  /** Throws PLAID_NOT_CONFIGURED. */
  access(): Promise<PlaidAccess>;
  readonly countryCodes: readonly string[];
}

export interface PlaidDeps {
  readonly storage: Pick<Storage, 'read' | 'write'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sealed: SealedText;
  readonly leases: Leases;
  readonly sink: PayloadSink;
  readonly plaid: PlaidSource;
}

const itemTopic = 'plaid-item';

/** For writes of the program's own state; the payloads have their audit rows. */
export const unaudited = (call: Call): Call => ({ ...call, audit: 'none' });

/** Plaid's refusals become faults; `isTokenGiven`: the caller passed the token that Plaid may refuse. */
export const throwPlaidFault =
  (isTokenGiven = false) =>
  (error: unknown): never => {
    throw error instanceof PlaidProblem ? toPlaidFault(error, isTokenGiven) : error;
  };

export type PlaidItems = ReturnType<typeof createPlaidItems>;

/** Connected banks. */
export function createPlaidItems({ storage, clock, ids, sealed, plaid }: PlaidDeps) {
  let opened: Promise<PlaidClient> | undefined;
  /** One client for all calls. A missing setting is reported by each. */
  function client(): Promise<PlaidClient> {
    opened ??= plaid.access().then((access) => createPlaidClient(access, { clock }));
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  }

  const read: Storage['read'] = (call, work) =>
    storage.read(call, work).catch(throwDatabaseFault(databaseFaults.DB_QUERY_FAILED));
  const write: Storage['write'] = (call, work) =>
    storage.write(call, work).catch(throwDatabaseFault(databaseFaults.DB_INSERT_FAILED));

  const ownerOf = (call: Call, id: string): string => `plaid_items:${call.tenant}:${id}`;
  const openToken = ({ id, access_token }: PlaidItemRow, call: Call): string =>
    sealed.open(access_token, ownerOf(call, id));

  const list = (filter: ItemFilter, call: Call): Promise<readonly PlaidItemRow[]> =>
    read(call, (db) => findItems(db, filter, plaidLimits.itemsCount));

  async function expectItem(filter: ItemFilter, call: Call): Promise<PlaidItemRow> {
    const [item] = await list(filter, call);
    if (item === undefined) throw plaidFaults.PLAID_ITEM_NOT_FOUND();
    return item;
  }

  async function findDetails(item: PlaidItemRow, call: Call): Promise<ItemDetails> {
    const plaidClient = await client();
    const { accounts, item: found } = await plaidClient.accounts(openToken(item, call), call.signal);
    const { institution_id = null, institution_name, products, billed_products } = found;
    const name =
      institution_name ??
      (institution_id === null
        ? undefined
        : (await plaidClient.institution(institution_id, plaid.countryCodes, call.signal)).institution.name);
    return {
      institution_id,
      institution_name: name ?? null,
      products: JSON.stringify(products ?? billed_products),
      accounts: JSON.stringify(
        accounts.map(({ account_id, type, subtype, ...account }) => ({
          id: account_id,
          name: account.name ?? '',
          type,
          subtype: subtype ?? '',
        })),
      ),
    };
  }

  return {
    client,
    read,
    write,
    openToken,
    list,
    expectItem,

    /** Asks Plaid for accounts and institution once. */
    async withDetails(item: PlaidItemRow, call: Call): Promise<PlaidItemRow> {
      if (item.accounts !== null) return item;
      const details = await findDetails(item, call);
      await write(unaudited(call), (db) => saveDetails(db, item.id, details));
      return { ...item, ...details };
    },

    /**
     * A public token can be exchanged once, so its item is stored before anything else can fail, and a repeated call
     * finds it there.
     */
    async connect(publicToken: string, call: Call): Promise<PlaidItemRow> {
      const publicTokenHash = sha256Hex(publicToken);
      const [known, total] = await read(call, function* (db) {
        return [yield* findByPublicToken(db, publicTokenHash), yield* countItems(db)] as const;
      });
      if (known !== undefined) return known;
      if (Number(total?.count ?? 0) >= plaidLimits.itemsCount) {
        throw faults.RESOURCE_LIMIT({ what: 'The list of banks', limit: plaidLimits.itemsCount, unit: 'items' });
      }
      const { access_token, item_id } = await (await client())
        .exchange(publicToken, call.signal)
        .catch(throwPlaidFault(true));
      const newId = ids.uuid();
      // What Plaid says after this does not put the stored item in doubt.
      const id = await write({ ...call, effect: undefined }, function* (db) {
        const [existing] = yield* findItems(db, { item_id }, 1);
        const itemId = existing?.id ?? newId;
        const sealedToken = sealed.seal(access_token, ownerOf(call, itemId));
        yield* saveItem(db, { id: itemId, itemId: item_id, publicTokenHash, sealedToken });
        yield* db.changed(itemTopic, itemId, existing === undefined ? 'create' : 'update', sha256Hex(item_id));
        return itemId;
      });
      return expectItem({ plaid_item_id: id }, call);
    },
  };
}
