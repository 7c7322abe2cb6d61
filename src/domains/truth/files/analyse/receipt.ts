import { type FoundFields, found } from './analysis.ts';
import { findCurrency, findTax, findTotal } from './find-money.ts';
import { toIdentifier, toTaxId } from './identifiers.ts';
import { findLabelled } from './labels.ts';
import { findTopName, toName } from './names.ts';
import { firstDate, type Paper } from './paper.ts';
import { hasWords } from './words.ts';

const numberLabels = [
  ...['receipt number', 'receipt no', 'receipt nr', 'receipt #', 'receipt id', 'transaction id', 'transaction no'],
  ...['order number', 'order no', 'order #', 'belegnummer', 'beleg-nr', 'bon-nr', 'ticket no', 'ticket #', 'receipt'],
];
const taxIdLabels = ['vat number', 'vat id', 'vat no', 'ust-idnr', 'ust-id', 'tax id', 'steuernummer', 'uid'];
const methods = ['visa', 'mastercard', 'american express', 'amex', 'paypal', 'girocard', 'debit card', 'cash', 'bar'];

export function findReceipt(paper: Paper): FoundFields | undefined {
  const { lines, toDate } = paper;
  const total = findTotal(lines);
  if (total === undefined) return undefined;
  const lower = lines.join('\n').toLowerCase();
  return found({
    receipt_number: findLabelled(lines, numberLabels, toIdentifier),
    date: findLabelled(lines, ['receipt date', 'purchase date', 'date', 'datum'], toDate) ?? firstDate(paper),
    amount: total.value,
    currency: findCurrency(lines, total),
    tax_amount: findTax(lines)?.value,
    vendor_name: findLabelled(lines, ['merchant', 'store', 'vendor', 'seller', 'shop'], toName) ?? findTopName(lines),
    vendor_tax_id: findLabelled(lines, taxIdLabels, toTaxId),
    payment_method: methods.find((method) => hasWords(lower, method)),
  });
}
