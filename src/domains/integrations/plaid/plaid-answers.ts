import { z } from 'zod';
import { plaidLimits } from './plaid-limits.ts';

/** The parts of Plaid's answers that are used; see the description of its API, version 2020-09-14. */

const id = z.string().min(1).max(plaidLimits.idChars);

/** Banks send what they like: without NUL, half characters and blank texts, the store accepts it. */
const text = z
  .string()
  .nullish()
  .transform((value) => {
    const clean = value?.toWellFormed().replaceAll('\0', '').trim().slice(0, plaidLimits.textChars).toWellFormed();
    return clean === '' ? undefined : clean;
  });
const date = z.iso.date();

const transaction = z.object({
  transaction_id: id,
  account_id: id,
  amount: z.number(),
  iso_currency_code: text,
  unofficial_currency_code: text,
  date,
  datetime: z.iso.datetime({ offset: true }).nullish().catch(undefined),
  authorized_date: date.nullish(),
  name: text,
  merchant_name: text,
  website: text,
  pending: z.boolean(),
  pending_transaction_id: id.nullish(),
  payment_channel: text,
  personal_finance_category: z.object({ primary: text, detailed: text }).nullish(),
  counterparties: z.array(z.object({ name: text })).nullish(),
  running_balance: z.number().nullish(),
});
export type PlaidTransaction = z.output<typeof transaction>;

const removed = z.object({ transaction_id: id, account_id: id.nullish() });
export type RemovedTransaction = z.output<typeof removed>;

const { pageTransactionsCount, cursorChars, accountsCount, productsCount } = plaidLimits;
const page = <T extends z.ZodType>(item: T) => z.array(item).max(pageTransactionsCount);

export const transactionsAnswer = z.object({
  added: page(transaction),
  modified: page(transaction),
  removed: page(removed),
  next_cursor: z.string().max(cursorChars),
  has_more: z.boolean(),
});
export type TransactionsPage = z.output<typeof transactionsAnswer>;

export const linkTokenAnswer = z.object({ link_token: z.string().min(1), expiration: z.string() });

export const exchangeAnswer = z.object({ access_token: z.string().min(1), item_id: id });

export const accountsAnswer = z.object({
  accounts: z
    .array(z.object({ account_id: id, name: text, type: z.string(), subtype: z.string().nullish() }))
    .max(accountsCount),
  item: z.object({
    institution_id: id.nullish(),
    institution_name: text,
    products: z.array(z.string()).max(productsCount).nullish(),
    billed_products: z.array(z.string()).max(productsCount),
  }),
});

export const institutionAnswer = z.object({ institution: z.object({ name: text }) });

export const errorAnswer = z.object({
  error_type: z.string().regex(/^[A-Z0-9_]{1,80}$/),
  error_code: z.string().regex(/^[A-Z0-9_-]{1,80}$/i),
});
