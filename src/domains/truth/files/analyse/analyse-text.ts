import { truthLimits } from '../../truth-limits.ts';
import { cutText, type ExtractedText } from '../extract/extracted-text.ts';
import { findCurrency, findTax, findTotal, lastMoney } from './amounts.ts';
import { findDates } from './dates.ts';
import { findDocumentDate } from './document-date.ts';
import {
  type Analysis,
  type DocumentFields,
  type DocumentKind,
  type DocumentText,
  firstDate,
  presentFields,
  toDocumentText,
} from './document-text.ts';
import { findContract } from './find-contract.ts';
import { findInvoice } from './find-invoice.ts';
import { findLabelled, hasWords, toAccount, toIdentifier, toTaxId } from './labels.ts';
import { findTopName, toName } from './party-names.ts';
import { type RankedKind, rankKinds } from './rank-kinds.ts';

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

function findStatement({ lines, order, toDate }: DocumentText): DocumentFields | undefined {
  const closing = findLabelled(lines, closingLabels, lastMoney);
  const opening = findLabelled(lines, openingLabels, lastMoney);
  const account = findLabelled(lines, accountLabels, toAccount);
  if (closing === undefined && account === undefined) return undefined;
  const period = findLabelled(lines, periodLabels, (value) => {
    const dates = findDates(value, order);
    return dates.length >= 2 ? dates : undefined;
  });
  const end = period?.[1];
  return presentFields({
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

const numberLabels = [
  ...['receipt number', 'receipt no', 'receipt nr', 'receipt #', 'receipt id', 'transaction id', 'transaction no'],
  ...['order number', 'order no', 'order #', 'belegnummer', 'beleg-nr', 'bon-nr', 'ticket no', 'ticket #', 'receipt'],
];
const taxIdLabels = ['vat number', 'vat id', 'vat no', 'ust-idnr', 'ust-id', 'tax id', 'steuernummer', 'uid'];
const methods = ['visa', 'mastercard', 'american express', 'amex', 'paypal', 'girocard', 'debit card', 'cash', 'bar'];

function findReceipt(document: DocumentText): DocumentFields | undefined {
  const { lines, toDate } = document;
  const total = findTotal(lines);
  if (total === undefined) return undefined;
  const lower = lines.join('\n').toLowerCase();
  return presentFields({
    receipt_number: findLabelled(lines, numberLabels, toIdentifier),
    date: findLabelled(lines, ['receipt date', 'purchase date', 'date', 'datum'], toDate) ?? firstDate(document),
    amount: total.value,
    currency: findCurrency(lines, total),
    tax_amount: findTax(lines)?.value,
    vendor_name: findLabelled(lines, ['merchant', 'store', 'vendor', 'seller', 'shop'], toName) ?? findTopName(lines),
    vendor_tax_id: findLabelled(lines, taxIdLabels, toTaxId),
    payment_method: methods.find((method) => hasWords(lower, method)),
  });
}

const task = /^\s*[-*] \[([ xX])\] (\S.*)$/;

/** Checkboxes of a Markdown list. */
function findTasks(text: string) {
  const tasks = text.split('\n').flatMap((line) => {
    const [, box, title] = task.exec(line) ?? [];
    if (title === undefined) return [];
    return [{ title: cutText(title.trim(), truthLimits.analysedTitleChars), status: box === ' ' ? 'open' : 'done' }];
  });
  return tasks.length === 0 ? undefined : tasks.slice(0, truthLimits.tasksCount);
}

const findNote = (title: string, text: string): DocumentFields =>
  presentFields({
    title,
    content: cutText(text, truthLimits.noteContentChars),
    tasks: findTasks(text.slice(0, truthLimits.analysedChars)),
  });

const finders: Readonly<Record<RankedKind['kind'], (document: DocumentText) => DocumentFields | undefined>> = {
  invoice: findInvoice,
  receipt: findReceipt,
  statement: findStatement,
  contract: findContract,
};

/** A store rejects control characters such as NUL and unpaired surrogates. */
const clean = (text: string): string =>
  text
    .replaceAll(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '')
    .toWellFormed();

/** A shorter title identifies a document less well than its file name. */
const titleChars = 4;

function toTitle(given: string | undefined, { lines }: DocumentText, fileName: string): string {
  const heading = lines.find((line) => /^# \S/.test(line))?.slice(2);
  const candidates = [given === undefined ? undefined : clean(given), heading, lines[0]?.replaceAll('\t', ' ')];
  const title = candidates.find((text) => text !== undefined && text.trim().length >= titleChars) ?? fileName;
  return cutText(title.trim(), truthLimits.analysedTitleChars);
}

function dateOf(kind: DocumentKind, document: DocumentText): Pick<Analysis, 'documentDate'> {
  const documentDate = findDocumentDate(kind, document);
  return documentDate === undefined ? {} : { documentDate };
}

/** The fields without which the words alone decide the kind. */
const isIdentified: Readonly<Record<RankedKind['kind'], (fields: DocumentFields) => boolean>> = {
  invoice: ({ invoice_number, amount }) => invoice_number !== undefined && amount !== undefined,
  receipt: ({ receipt_number, date }) => (receipt_number ?? date) !== undefined,
  statement: ({ account_number, closing_balance }) => account_number !== undefined && closing_balance !== undefined,
  contract: ({ contract_number, parties }) =>
    contract_number !== undefined || (Array.isArray(parties) && parties.length > 1),
};

/** The words suggest a kind; it is accepted if its rules find the required fields. Deterministic. */
export function analyseText(extracted: ExtractedText, fileName: string): Analysis {
  const text = clean(extracted.text);
  const document = toDocumentText(text);
  const title = toTitle(extracted.title, document, fileName);
  const about = {
    title,
    excerpt: cutText(text, truthLimits.excerptChars),
    textChars: text.length,
    isCut: extracted.isCut,
  };
  for (const { kind, isClear } of rankKinds(document.lines)) {
    const fields = finders[kind](document);
    if (fields === undefined) continue;
    const isKindClear = isClear && isIdentified[kind](fields);
    return { kind, fields, ...about, ...dateOf(kind, document), isKindClear };
  }
  // Every text is a document, so this kind is not a guess.
  return {
    kind: 'document',
    fields: findNote(title, text),
    ...about,
    ...dateOf('document', document),
    isKindClear: true,
  };
}
