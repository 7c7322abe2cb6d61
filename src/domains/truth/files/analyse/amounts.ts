import { currencyCodes, currencySigns } from '../../texts/currencies.ts';
import { readNumberText } from '../../texts/number-text.ts';
import { findLabelled } from './labels.ts';

interface Amount {
  readonly value: number;
  /** An ISO 4217 code. */
  readonly currency?: string;
  /** Has a currency or two decimals, so it is money and not a count or a house number. */
  readonly isMoney: boolean;
}

const threeLetters = /\b[A-Z]{3}\b/g;
const codes: ReadonlySet<string> = new Set(currencyCodes);
const withoutCodes = (text: string): string => text.replace(threeLetters, (word) => (codes.has(word) ? '' : word));
const nearbyChars = 5;

function currencyIn(text: string): string | undefined {
  const code = text.match(threeLetters)?.find((word) => codes.has(word));
  if (code !== undefined) return code;
  for (const char of text) if (Object.hasOwn(currencySigns, char)) return currencySigns[char]![0];
  return undefined;
}

/**
 * Digits with separators. A blank separates thousands only if a comma separates decimals; otherwise it separates two
 * numbers.
 */
const numbers = /\d{1,3} \d{3}(?: \d{3})?(?: \d{3})?,\d{2}(?!\d)|\d(?:[\d.,'’]{0,30}\d)?/g;

/** In a document, `1,234` and `1.234` are thousands. */
export function parseNumber(text: string): number | undefined {
  const number = readNumberText(text);
  if (number === undefined) return undefined;
  const { whole, decimals, unclearMark } = number;
  return Number(unclearMark === undefined ? `${whole}.${decimals || 0}` : whole + decimals);
}

const isNegative = (before: string, after: string): boolean =>
  /[-\u2212]\s?[€$£¥₹]?\s?$/.test(before) ||
  (/\(\s?[€$£¥₹]?\s?$/.test(before) && after.startsWith(')')) ||
  /^-(?!\w)/.test(after);

function toAmount(line: string, text: string, at: number): Amount | undefined {
  const before = line.slice(Math.max(0, at - nearbyChars), at);
  const after = line.slice(at + text.length, at + text.length + nearbyChars);
  const value = parseNumber(text);
  // Part of a word, code or date, or a percentage.
  if (
    value === undefined ||
    /[\p{L}\d./-]$/u.test(withoutCodes(before.replace(/(?:^|[\s(€$£¥₹])-$/, ''))) ||
    /^ ?%|^[/\p{L}]/u.test(withoutCodes(after))
  )
    return undefined;
  const currency = currencyIn(before) ?? currencyIn(after);
  const isMoney = currency !== undefined || /[.,]\d{2}$/.test(text);
  return {
    value: isNegative(before, after) && value !== 0 ? -value : value,
    ...(currency === undefined ? {} : { currency }),
    isMoney,
  };
}

export const findAmounts = (line: string): readonly Amount[] =>
  [...line.matchAll(numbers)].flatMap(({ 0: text, index }) => toAmount(line, text, index) ?? []);

/** The last amount of a line is its total; counts and unit prices come before it. */
export const lastMoney = (line: string): Amount | undefined => {
  const all = findAmounts(line);
  return all.findLast(({ isMoney }) => isMoney) ?? (all.length === 1 ? all[0] : undefined);
};

const totals = [
  ...['amount due', 'total due', 'balance due', 'grand total', 'invoice total', 'total amount', 'amount payable'],
  ...['total incl', 'total including', 'gesamtbetrag', 'rechnungsbetrag', 'zu zahlen', 'endbetrag', 'summe brutto'],
  ...['total ttc', 'montant total', 'importe total', 'total a pagar', 'net à payer', 'amount paid'],
];
/** Partial totals have these labels too; the last one is the whole. */
const plainTotals = ['total', 'summe', 'gesamt', 'amount', 'betrag'];
const taxes = ['total vat', 'vat amount', 'sales tax', 'tax amount', 'vat', 'tax', 'mwst', 'ust', 'tva', 'iva', 'gst'];

export const findTotal = (lines: readonly string[]): Amount | undefined =>
  findLabelled(lines, totals, lastMoney) ?? findLabelled(lines.toReversed(), plainTotals, moneyOnly);

/** A table column can have the same label, so accept only money. */
const moneyOnly = (value: string): Amount | undefined => {
  const money = lastMoney(value);
  return money?.isMoney === true ? money : undefined;
};

export const findTax = (lines: readonly string[]): Amount | undefined => findLabelled(lines, taxes, moneyOnly);

/** The currency next to the amount, or the most frequent one of the document. */
export function findCurrency(lines: readonly string[], amount: Amount | undefined): string | undefined {
  if (amount?.currency !== undefined) return amount.currency;
  const counts = new Map<string, number>();
  for (const line of lines)
    for (const { currency } of findAmounts(line))
      if (currency !== undefined) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
