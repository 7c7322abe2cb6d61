import { findDates } from './dates.ts';

/** `INV-2026/0042`: the first word with a digit in it, among the first two. A date is no number of anything. */
export function toIdentifier(value: string): string | undefined {
  const words = value.split(/[\s\t]+/).slice(0, 2);
  for (const word of words) {
    const bare = word.replace(/^[#(]+/, '').replace(/[.,;:)]{1,5}$/, '');
    if (/^[A-Za-z0-9][A-Za-z0-9/_.-]{0,39}$/.test(bare) && /\d/.test(bare) && findDates(bare, 'day-first').length === 0)
      return bare;
  }
  return undefined;
}

/** `DE123456789`, `12-3456789`, `ATU12345678`, `GB 123 4567 89`: at least six digits, without blanks. */
export function toTaxId(value: string): string | undefined {
  const bare = /^[A-Z0-9][A-Z0-9 ./-]{4,24}/
    .exec(value)?.[0]
    .replaceAll(/[ .]/g, '')
    .replace(/[/-]{1,5}$/, '');
  if (bare === undefined) return undefined;
  const digitsCount = bare.replaceAll(/\D/g, '').length;
  return digitsCount >= 6 && digitsCount <= 15 ? bare : undefined;
}

/** `DE89 3704 0044 0532 0130 00`, `****1234`, `12345678`: as it is written, without blanks. */
export function toAccount(value: string): string | undefined {
  const bare = /^[A-Z]{0,2}[0-9*xX][0-9*xX -]{3,40}/.exec(value)?.[0].replaceAll(/[ -]/g, '');
  return bare !== undefined && bare.replaceAll(/\D/g, '').length >= 4 ? bare : undefined;
}
