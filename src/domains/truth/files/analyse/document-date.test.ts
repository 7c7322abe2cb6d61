import { describe, expect, test } from 'vitest';
import { showTime } from '../../iso-time.ts';
import { invoiceLines } from '../sample-files.fixture.ts';
import { weighDocument } from '../weigh-document.ts';
import { analyseText } from './analyse-text.ts';
import { hasStatedOrder } from './dates.ts';

const analyse = (lines: readonly string[]) => analyseText({ text: lines.join('\n'), isCut: false }, 'file.pdf');

/** As a person reads it; undefined if the text leaves doubt. */
function dateOf(lines: readonly string[]): string | undefined {
  const { documentDate } = analyse(lines);
  return documentDate === undefined ? undefined : showTime(documentDate.ms, documentDate.chars);
}

const invoiceWith = (...lines: readonly string[]): readonly string[] => [
  'Acme Tools GmbH',
  'INVOICE',
  'Invoice number: INV-7',
  ...lines,
  'Total due: EUR 1,444.66',
];

const contract = [
  'SERVICE AGREEMENT',
  'Contract number: C-77',
  'This Agreement is entered into as of January 5, 2026, by and between Acme, Inc., and Globex Ltd (hereinafter "Client").',
  'It takes effect on the commencement date of March 1, 2027 and shall continue until December 31, 2027.',
  'It replaces the agreement dated 3 May 2019. Governing law: England.',
];

describe('[TR54] the date of a document', () => {
  test.each<[string, readonly string[], string]>([
    ['the invoice date, not the due date', invoiceLines, '2026-05-31'],
    ['a plain date in the head', invoiceWith('Date: 31.05.2026', 'Due date: 14.06.2026'), '2026-05-31'],
    ['a weekday before it', invoiceWith('Date: Sunday, 31 May 2026'), '2026-05-31'],
    [
      'a column below the number of the document',
      ['Initech Inc.\tINVOICE', 'Invoice No.\tDate\tDue date', '2026/77\t05/31/2026\t06/30/2026', 'Total\t$1,000.50'],
      '2026-05-31',
    ],
    [
      'an ambiguous form whose order another date shows',
      invoiceWith('Invoice date: 05/06/2026', 'Due date: 20/06/2026'),
      '2026-06-05',
    ],
    ['the same date twice', invoiceWith('Invoice date: 2026-05-31', 'Invoice date: 31 May 2026'), '2026-05-31'],
    [
      'the only date of a receipt',
      ['Corner Bakery Ltd', 'Receipt No: 000123', '2026-02-03 14:05', 'Total   £7.68', 'VISA **** 1234'],
      '2026-02-03',
    ],
    [
      'the end of the period of a statement',
      [
        'First National Bank',
        'Account Statement',
        'Account number: 1234 5678 90',
        'Statement period: 01/04/2026 - 30/04/2026',
        'Date\tDescription\tAmount',
        '03/04/2026\tCoffee\t-3.50',
        'Closing balance: EUR -96.50',
      ],
      '2026-04-30',
    ],
    ['the day a contract was made, not the day it starts', contract, '2026-01-05'],
    [
      'the time of a mail',
      ['From: Ada <ada@example.com>', 'Date: 2026-05-01T10:00:00.000Z', 'Subject: plans', 'See you on 3 June 2026.'],
      '2026-05-01T10:00:00.000Z',
    ],
    ['the head of a letter', ['Dear Ada,', 'Date: 3 May 2026', 'we met on 1 April 2024.'], '2026-05-03'],
  ])('is %s', (_what, lines, date) => {
    expect(dateOf(lines)).toBe(date);
  });

  test.each<[string, readonly string[]]>([
    ['nothing states it', ['Plans', 'We met on 3 May 2026 and again on 4 June 2026.']],
    ['only the due date is given', invoiceWith('Due date: 14.06.2026')],
    ['day and month could be swapped', invoiceWith('Invoice date: 05/06/2026')],
    ['the dates of the text have both orders', invoiceWith('Invoice date: 05/06/2026', '20/06/2026', '06/20/2026')],
    ['the year has two digits', invoiceWith('Invoice date: 26/05/31', 'Due date: 20/06/2026')],
    ['two labels name two dates', invoiceWith('Invoice date: 2026-05-31', 'Invoice date: 2026-06-30')],
    ['it does not exist', invoiceWith('Invoice date: 31.02.2026')],
    ['dates are in a table of items', invoiceWith('Date\tItem\tPrice', '2026-04-01\tHammer\t10.00')],
    [
      'a receipt has two',
      ['Corner Bakery Ltd', 'Receipt No: 000123', '2026-02-03', 'valid to 2026-03-03', 'Total 7.68'],
    ],
    [
      'only signatures have one',
      ['LEASE AGREEMENT', 'Landlord: Jane Roe', 'Tenant: John Doe', 'The parties shall …', 'Date: 2026-01-03'],
    ],
  ])('is unknown if %s', (_why, lines) => {
    expect(analyse(lines)).not.toHaveProperty('documentDate');
  });

  test('needs dates with a year of four digits to show the order', () => {
    expect(hasStatedOrder('20/06/2026')).toBe(true);
    expect(hasStatedOrder('26/05/31')).toBe(false);
    expect(hasStatedOrder('20.06.2026')).toBe(false);
  });
});

describe('[TR54] the kind of a document', () => {
  test('is clear if the document names itself and has what identifies it', () => {
    for (const lines of [invoiceLines, contract]) expect(analyse(lines).isKindClear).toBe(true);
    // Every text is a document.
    expect(analyse(['# Plans for May', 'Words.'])).toMatchObject({ kind: 'document', isKindClear: true });
  });

  test.each<[string, string, readonly string[]]>([
    ['it has no number of its own', 'invoice', ['INVOICE', 'Amount due: EUR 5.00', 'Bill to: Globex Corporation']],
    [
      'another kind is as likely',
      'invoice',
      [
        'RECEIPT for your INVOICE',
        'Invoice number: INV-1',
        'Receipt number: R-1',
        'Date: 2026-05-31',
        'Total: 5.00 EUR',
      ],
    ],
    [
      'the words are not at the top',
      'invoice',
      [
        ...Array.from({ length: 8 }, (_, i) => `Line ${i} of a letter`),
        'Your invoice number is INV-7, the due date is near.',
        'Total due: EUR 7.00',
      ],
    ],
  ])('is a guess if %s', (_why, kind, lines) => {
    expect(analyse(lines)).toMatchObject({ kind, isKindClear: false });
  });
});

test('[TR54] weighs a document by its date and its kind, and ignores a date after the upload', () => {
  const now = Date.UTC(2026, 5, 15);
  const documentDate = { ms: Date.UTC(2026, 4, 31), chars: 10 };
  expect(weighDocument({ documentDate, isKindClear: true }, now)).toEqual({
    period: { effectiveAt: documentDate.ms, effectiveUntil: null, atChars: 10 },
    priority: 200,
  });
  expect(weighDocument({ documentDate, isKindClear: false }, now).priority).toBe(50);
  // The time of a mail is a moment.
  expect(weighDocument({ documentDate: { ms: now, chars: 24 }, isKindClear: true }, now).period).toEqual({
    effectiveAt: now,
    effectiveUntil: null,
  });
  const undated = { period: { effectiveUntil: null }, priority: 200 };
  expect(weighDocument({ isKindClear: true }, now)).toEqual(undated);
  expect(weighDocument({ documentDate: { ms: now + 1, chars: 10 }, isKindClear: true }, now)).toEqual(undated);
});
