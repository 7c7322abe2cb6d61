import { type Amount, findAmounts, lastMoney } from './amounts.ts';
import { findLabelled } from './labels.ts';

const totals = [
  ...['amount due', 'total due', 'balance due', 'grand total', 'invoice total', 'total amount', 'amount payable'],
  ...['total incl', 'total including', 'gesamtbetrag', 'rechnungsbetrag', 'zu zahlen', 'endbetrag', 'summe brutto'],
  ...['total ttc', 'montant total', 'importe total', 'total a pagar', 'net à payer', 'amount paid'],
];
/** These stand on lines of parts too; the last one is the whole. */
const plainTotals = ['total', 'summe', 'gesamt', 'amount', 'betrag'];
const taxes = ['total vat', 'vat amount', 'sales tax', 'tax amount', 'vat', 'tax', 'mwst', 'ust', 'tva', 'iva', 'gst'];

export const findTotal = (lines: readonly string[]): Amount | undefined =>
  findLabelled(lines, totals, lastMoney) ?? findLabelled(lines.toReversed(), plainTotals, moneyOnly);

/** A column of single amounts has a label too; only what is money counts. */
const moneyOnly = (value: string): Amount | undefined => {
  const money = lastMoney(value);
  return money?.isMoney === true ? money : undefined;
};

export const findTax = (lines: readonly string[]): Amount | undefined => findLabelled(lines, taxes, moneyOnly);

/** The currency beside an amount, or the one that the paper names most often. */
export function findCurrency(lines: readonly string[], amount: Amount | undefined): string | undefined {
  if (amount?.currency !== undefined) return amount.currency;
  const counts = new Map<string, number>();
  for (const line of lines)
    for (const { currency } of findAmounts(line))
      if (currency !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
