import { findCurrency, findTax, findTotal } from './amounts.ts';
import { type DocumentFields, type DocumentText, firstDate, presentFields } from './document-text.ts';
import { findLabelled, findLabelledAt, toIdentifier, toTaxId } from './labels.ts';
import { findTopName, toName } from './party-names.ts';

const numberLabels = [
  ...['invoice number', 'invoice no', 'invoice nr', 'invoice #', 'invoice id', 'rechnungsnummer', 'rechnungs-nr'],
  ...['rechnung nr', 'facture n°', 'numéro de facture', 'número de factura', 'factuurnummer', 'invoice', 'rechnung'],
];
const dateLabels = [
  ...['invoice date', 'date of issue', 'issue date', 'issued on', 'date of invoice', 'rechnungsdatum'],
  ...['date de facture', 'fecha de factura', 'date', 'datum', 'issued'],
];
const dueLabels = ['due date', 'payment due', 'payable by', 'due on', 'due by', 'fällig am', 'zahlbar bis', 'due'];
const vendorLabels = ['bill from', 'billed by', 'issued by', 'vendor', 'seller', 'supplier', 'lieferant', 'from'];
const customerLabels = [
  ...['bill to', 'billed to', 'invoice to', 'sold to', 'rechnung an', 'rechnungsempfänger', 'facturé à'],
  ...['customer', 'client', 'buyer', 'kunde', 'cliente', 'to'],
];
const taxIdLabels = [
  ...['vat reg no', 'vat number', 'vat id', 'vat no', 'ust-idnr', 'ust-id', 'ust.-idnr', 'tax id', 'tax number'],
  ...['steuernummer', 'siret', 'vat', 'ein', 'uid', 'nif', 'cif', 'abn'],
];

const blockLines = 6;

/** A tax number in the customer's address block belongs to the customer. */
function findTaxIds(lines: readonly string[], customerAt: number | undefined) {
  if (customerAt === undefined) return { vendor_tax_id: findLabelled(lines, taxIdLabels, toTaxId) };
  const block = lines.slice(customerAt, customerAt + blockLines);
  const others = [...lines.slice(0, customerAt), ...lines.slice(customerAt + blockLines)];
  return {
    vendor_tax_id: findLabelled(others, taxIdLabels, toTaxId),
    customer_tax_id: findLabelled(block, taxIdLabels, toTaxId),
  };
}

export function findInvoice(document: DocumentText): DocumentFields | undefined {
  const { lines, toDate } = document;
  const number = findLabelled(lines, numberLabels, toIdentifier);
  const total = findTotal(lines);
  if (number === undefined && total === undefined) return undefined;
  const customer = findLabelledAt(lines, customerLabels, toName);
  return presentFields({
    invoice_number: number,
    date: findLabelled(lines, dateLabels, toDate) ?? firstDate(document),
    due_date: findLabelled(lines, dueLabels, toDate),
    amount: total?.value,
    currency: findCurrency(lines, total),
    tax_amount: findTax(lines)?.value,
    vendor_name: findLabelled(lines, vendorLabels, toName) ?? findTopName(lines.slice(0, customer?.lineAt)),
    customer_name: customer?.value,
    ...findTaxIds(lines, customer?.lineAt),
  });
}
