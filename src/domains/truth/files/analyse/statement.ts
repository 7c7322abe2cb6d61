import { lastMoney } from './amounts.ts';
import { type FoundFields, found } from './analysis.ts';
import { findDates } from './dates.ts';
import { findCurrency } from './find-money.ts';
import { toAccount } from './identifiers.ts';
import { findLabelled } from './labels.ts';
import { findTopName, toName } from './names.ts';
import type { Paper } from './paper.ts';

const accountLabels = ['account number', 'account no', 'kontonummer', 'konto-nr', 'iban', 'account'];
const periodLabels = [
  'statement period',
  'billing period',
  'abrechnungszeitraum',
  'period',
  'zeitraum',
  'for the period',
];
const openingLabels = ['opening balance', 'previous balance', 'beginning balance', 'alter kontostand', 'anfangssaldo'];
const closingLabels = ['closing balance', 'new balance', 'ending balance', 'neuer kontostand', 'endsaldo', 'balance'];

export function findStatement({ lines, order, toDate }: Paper): FoundFields | undefined {
  const closing = findLabelled(lines, closingLabels, lastMoney);
  const opening = findLabelled(lines, openingLabels, lastMoney);
  const account = findLabelled(lines, accountLabels, toAccount);
  if (closing === undefined && account === undefined) return undefined;
  const period = findLabelled(lines, periodLabels, (value) => {
    const dates = findDates(value, order);
    return dates.length >= 2 ? dates : undefined;
  });
  const end = period?.[1];
  return found({
    account_number: account,
    institution_name: findLabelled(lines, ['bank', 'institution'], toName) ?? findTopName(lines),
    period_start: period?.[0],
    period_end: end,
    date: findLabelled(lines, ['statement date', 'date', 'datum'], toDate) ?? end,
    opening_balance: opening?.value,
    closing_balance: closing?.value,
    amount: closing?.value,
    currency: findCurrency(lines, closing),
  });
}
