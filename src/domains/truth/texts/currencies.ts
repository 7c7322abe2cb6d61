/** ISO 4217 codes that are recognised next to a number. Codes that are also English words are left out. */
export const currencyCodes: readonly string[] = [
  ...['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'CAD', 'AUD', 'NZD', 'SEK', 'NOK', 'DKK', 'PLN', 'CZK', 'HUF', 'INR', 'CNY'],
  ...['BRL', 'MXN', 'ZAR', 'RON', 'BGN', 'ILS', 'KRW', 'SGD', 'HKD', 'TWD', 'THB', 'IDR', 'VND', 'CLP', 'COP', 'ARS'],
  ...['AED', 'SAR', 'BHD', 'IQD', 'JOD', 'KWD', 'OMR', 'TND'],
];

/** The currencies that a sign can mean, the most common one first. */
export const currencySigns: Readonly<Record<string, readonly string[]>> = {
  '€': ['EUR'],
  $: ['USD', 'CAD', 'AUD', 'NZD', 'MXN', 'SGD', 'HKD', 'TWD', 'CLP', 'COP', 'ARS'],
  '£': ['GBP'],
  '¥': ['JPY', 'CNY'],
  '₹': ['INR'],
  'JP¥': ['JPY'],
  'CN¥': ['CNY'],
  US$: ['USD'],
  $US: ['USD'],
  $CA: ['CAD'],
  CA$: ['CAD'],
  C$: ['CAD'],
  AU$: ['AUD'],
  A$: ['AUD'],
  NZ$: ['NZD'],
  HK$: ['HKD'],
  R$: ['BRL'],
};

/** With three decimals, `1,500` is one and a half. */
export const threeDecimalCurrencies: ReadonlySet<string> = new Set([...['BHD', 'IQD', 'JOD', 'KWD', 'OMR', 'TND']]);

/** Where these are used, a dot separates thousands. */
export const dotGroupedCurrencies: ReadonlySet<string> = new Set(['EUR', 'BRL', 'DKK', 'IDR', 'VND']);

const names: ReadonlyMap<string, readonly string[]> = new Map([
  ...currencyCodes.map((code) => [code, [code]] as const),
  ...Object.entries(currencySigns),
  ...['EURO', 'EUROS'].map((word) => [word, ['EUR']] as const),
]);

/** The currencies that a code, sign or word can mean; undefined if it names none. */
export const currenciesOf = (name: string): readonly string[] | undefined => names.get(name.trim().toUpperCase());
