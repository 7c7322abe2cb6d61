import { currenciesOf, currencySigns, dotGroupedCurrencies, threeDecimalCurrencies } from './currencies.ts';
import { type NumberText, readNumberText, toExactNumber } from './number-text.ts';

/** A number or an amount of money that was written as text. */
export interface AmountText {
  /** Absent if the text has several meanings. */
  readonly value?: number;
  /** As written: `€`, `US$`, `EUR`. */
  readonly currency?: string;
  /** What it can mean; several for `$`. */
  readonly currencies: readonly string[];
}

/** A longer text is not an amount with a currency. */
const amountChars = 60;

const minus = /^[-\u2212]$/;

const signs = Object.keys(currencySigns).sort((a, b) => b.length - a.length);

/** The currency at the start of a text. */
function leadingCurrency(text: string): string | undefined {
  const sign = signs.find((one) => text.slice(0, one.length).toUpperCase() === one);
  if (sign !== undefined) return text.slice(0, sign.length);
  const word = /^\p{L}+/u.exec(text)?.[0];
  return word !== undefined && currenciesOf(word) !== undefined ? word : undefined;
}

/** The currency at the end of a text. */
function trailingCurrency(text: string): string | undefined {
  const sign = signs.find((one) => text.slice(-one.length).toUpperCase() === one);
  if (sign !== undefined) return text.slice(-sign.length);
  const word = text.match(/\p{L}+/gu)?.at(-1) ?? '';
  return text.endsWith(word) && currenciesOf(word) !== undefined ? word : undefined;
}

interface Parts {
  rest: string;
  currency?: string;
  signs: string[];
  isBracketed: boolean;
}

/** Takes one sign or currency off the start or the end; false if there is none. */
function takeOne(parts: Parts): boolean {
  const first = parts.rest.charAt(0);
  if (minus.test(first) || first === '+') {
    parts.signs.push(first === '+' ? '+' : '-');
    parts.rest = parts.rest.slice(1).trim();
    return true;
  }
  // Bookkeepers write the minus last.
  if (minus.test(parts.rest.slice(-1))) {
    parts.signs.push('-');
    parts.rest = parts.rest.slice(0, -1).trim();
    return true;
  }
  if (parts.currency !== undefined) return false;
  const leading = leadingCurrency(parts.rest);
  if (leading !== undefined) {
    parts.currency = leading;
    parts.rest = parts.rest.slice(leading.length).trim();
    return true;
  }
  const trailing = trailingCurrency(parts.rest);
  if (trailing === undefined) return false;
  parts.currency = trailing;
  parts.rest = parts.rest.slice(0, -trailing.length).trim();
  return true;
}

function takeApart(text: string): Parts {
  const isBracketed = text.startsWith('(') && text.endsWith(')');
  const parts: Parts = { rest: isBracketed ? text.slice(1, -1).trim() : text, signs: [], isBracketed };
  while (takeOne(parts));
  return parts;
}

/**
 * A mark before three digits separates thousands if a currency says so: money has two decimals. A dot does so only where
 * the currency's countries write thousands like that, because prices per unit have three decimals (`$3.459`).
 */
function settleMark(number: NumberText, currencies: readonly string[]): NumberText | undefined {
  const { unclearMark, whole, decimals } = number;
  if (unclearMark === undefined) return number;
  const isClear =
    currencies.length > 0 &&
    currencies.every(
      (code) => !threeDecimalCurrencies.has(code) && (unclearMark === ',' || dotGroupedCurrencies.has(code)),
    );
  return isClear ? { whole: whole + decimals, decimals: '' } : undefined;
}

/**
 * `1,500.00`, `1.500,00`, `$1,500`, `-1 500 EUR`, `(1,500.00)`: brackets are a minus around money, that is two decimals or
 * a currency. Undefined if the text is not a number; without `value` if it has several meanings, as `1,500` has.
 */
export function readAmountText(text: string): AmountText | undefined {
  if (text.length > amountChars) return undefined;
  const { rest, currency, signs: written, isBracketed } = takeApart(text.trim());
  const number = readNumberText(rest);
  const currencies = currency === undefined ? [] : (currenciesOf(currency) ?? []);
  if (number === undefined || written.length + (isBracketed ? 1 : 0) > 1) return undefined;
  if (isBracketed && currency === undefined && number.decimals.length !== 2) return undefined;
  const settled = settleMark(number, currencies);
  const value = settled && toExactNumber(settled, isBracketed || written[0] === '-');
  if (settled !== undefined && value === undefined) return undefined;
  return { ...(value === undefined ? {} : { value }), ...(currency === undefined ? {} : { currency }), currencies };
}
