import { truthLimits } from '../../truth-limits.ts';
import { hasWords, lowerCase } from './labels.ts';

const companySuffix =
  /(?:^|[\s,])(?:inc|incorporated|llc|ltd|limited|corp|corporation|company|co|gmbh|ag|kg|sa|sas|sarl|srl|bv|nv|plc|oy|ab|as)\.?$/i;

/** Words of documents, columns or pages that are not part of a name. */
const noNames = [
  ...['bill to', 'ship to', 'sold to', 'deliver to', 'terms', 'quantity', 'price', 'balance', 'account', 'period'],
  ...['invoice', 'receipt', 'statement', 'bill', 'page', 'date', 'total', 'amount', 'customer', 'client', 'number'],
  ...['rechnung', 'quittung', 'kontoauszug', 'facture', 'factura', 'due', 'vat', 'tax', 'description', 'address'],
  ...['agreement', 'contract', 'vendor', 'seller', 'supplier', 'phone', 'tel'],
  ...['email', 'subject', 'attachment', 'kunde'],
];

/** Cuts additions to a name: a mail address, a remark in brackets, the rest of a sentence. */
function bareName(value: string): string {
  const cut = value.split(/[<(\t;]|\s[|]\s/, 1)[0]!;
  const [first = '', second] = cut.split(',');
  const isSuffix = second !== undefined && companySuffix.test(` ${second.trim()}`);
  return (isSuffix ? `${first},${second}` : first)
    .replace(/^[\s:"'“”.-]+/, '')
    .replace(/[\s:"'“”-]{1,10}$/, '')
    .trim();
}

/** A person or company as written; undefined if the text is not a name. */
export function toName(value: string): string | undefined {
  const name = bareName(value);
  const lower = lowerCase(name);
  const isName =
    name.length >= 2 &&
    name.length <= truthLimits.analysedNameChars &&
    /\p{L}{2}/u.test(name) &&
    !/^\d|[@:=]|https?\b/.test(name) &&
    !noNames.some((word) => hasWords(lower, word));
  return isName ? name : undefined;
}

export const isCompanyName = (name: string): boolean => companySuffix.test(name);

/** The issuer is named at the top; a company is preferred to other possible names. */
export function findTopName(lines: readonly string[]): string | undefined {
  const names = lines.slice(0, 12).flatMap((line) => line.split('\t').flatMap((cell) => toName(cell) ?? []));
  return names.find(isCompanyName) ?? names[0];
}
