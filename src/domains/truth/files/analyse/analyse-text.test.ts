import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invoiceFields, invoiceLines } from '../sample-files.fixture.ts';
import { analyseText } from './analyse-text.ts';

const analyse = (lines: readonly string[], title?: string) =>
  analyseText({ text: lines.join('\n'), isCut: false, ...(title === undefined ? {} : { title }) }, 'file.pdf');

describe('invoices', () => {
  test('recognises an invoice by its words and finds its fields after their labels', () => {
    expect(analyse(invoiceLines)).toMatchObject({ kind: 'invoice', fields: invoiceFields });
  });

  test('finds values below their labels in columns', () => {
    const lines = [
      'Initech Inc.\tINVOICE',
      'Invoice No.\tDate\tDue date',
      '2026/77\t05/31/2026\t06/30/2026',
      'Bill to\tShip to',
      'Hooli LLC\tWarehouse 9',
      'Description\tAmount',
      'Consulting\t$900.00',
      'Total\t$1,000.50',
    ];
    expect(analyse(lines).fields).toMatchObject({
      invoice_number: '2026/77',
      date: '2026-05-31',
      due_date: '2026-06-30',
      vendor_name: 'Initech Inc.',
      customer_name: 'Hooli LLC',
      amount: 1000.5,
      currency: 'USD',
    });
  });

  test('reads a German invoice with its number and date formats', () => {
    const lines = [
      'Muster Werkzeuge AG',
      'Rechnung',
      'Rechnungsnummer: RE-1001',
      'Rechnungsdatum: 3. März 2026',
      'USt-IdNr.: DE987654321',
      'Rechnung an: Beispiel GmbH',
      'Gesamtbetrag: 1.234,56 €',
    ];
    expect(analyse(lines)).toMatchObject({
      kind: 'invoice',
      fields: {
        invoice_number: 'RE-1001',
        date: '2026-03-03',
        amount: 1234.56,
        currency: 'EUR',
        vendor_name: 'Muster Werkzeuge AG',
        vendor_tax_id: 'DE987654321',
        customer_name: 'Beispiel GmbH',
      },
    });
  });

  test('assigns a tax number in the customer block to the customer', () => {
    const lines = [...invoiceLines.slice(0, 9), 'Tax ID: 12-3456789', ...invoiceLines.slice(9)];
    expect(analyse(lines).fields).toMatchObject({ vendor_tax_id: 'DE123456789', customer_tax_id: '12-3456789' });
  });

  test('does not take a text about invoices without number and total for an invoice', () => {
    expect(analyse(['How to write an invoice', 'An invoice has an invoice number and is sent to bill to.']).kind).toBe(
      'document',
    );
  });
});

test('reads the shop at the top of a receipt and the total at the end', () => {
  const lines = [
    'Corner Bakery Ltd',
    'Receipt No: 000123',
    '2026-02-03 14:05',
    'Bread 2 x 3.20   6.40',
    'Subtotal   6.40',
    'Total   £7.68',
    'VISA **** 1234',
    'Thank you for your purchase',
  ];
  expect(analyse(lines)).toMatchObject({
    kind: 'receipt',
    fields: {
      receipt_number: '000123',
      date: '2026-02-03',
      amount: 7.68,
      currency: 'GBP',
      vendor_name: 'Corner Bakery Ltd',
      payment_method: 'visa',
    },
  });
});

test('reads the account, period and balances of a statement', () => {
  const lines = [
    'First National Bank',
    'Account Statement',
    'Account number: 1234 5678 90',
    'Statement period: 01/04/2026 - 30/04/2026',
    'Opening balance: EUR 100.00',
    '03/04/2026   Coffee   -3.50',
    'Closing balance: EUR -96.50',
  ];
  expect(analyse(lines)).toMatchObject({
    kind: 'statement',
    fields: {
      account_number: '1234567890',
      institution_name: 'First National Bank',
      period_start: '2026-04-01',
      period_end: '2026-04-30',
      opening_balance: 100,
      closing_balance: -96.5,
      currency: 'EUR',
    },
  });
});

describe('contracts', () => {
  test('finds parties and dates in sentences', () => {
    const lines = [
      'SERVICE AGREEMENT',
      'Contract number: C-77',
      'This Agreement is entered into as of January 5, 2026 (the "Effective Date"), by and between Acme, Inc.,',
      'a Delaware corporation ("Acme"), and Globex Ltd with its seat in London (hereinafter "Client").',
      'It shall continue until December 31, 2027 unless the parties agree otherwise.',
      'Governing law: England.',
    ];
    expect(analyse(lines)).toMatchObject({
      kind: 'contract',
      fields: {
        contract_number: 'C-77',
        parties: ['Acme, Inc.', 'Globex Ltd'],
        start_date: '2026-01-05',
        end_date: '2027-12-31',
      },
    });
  });

  test('finds parties that are listed line by line', () => {
    const lines = [
      'LEASE AGREEMENT',
      'Landlord: Jane Roe',
      'Tenant: John Doe',
      'Effective date: 2026-01-01',
      'The parties shall …',
    ];
    expect(analyse(lines).fields).toMatchObject({ parties: ['Jane Roe', 'John Doe'], start_date: '2026-01-01' });
  });
});

describe('other documents', () => {
  test('have a title, a text and the tasks of their lists', () => {
    const lines = ['# Plans for May', '', '- [ ] call Ada', '- [x] buy paper', 'Words.'];
    expect(analyse(lines)).toMatchObject({
      kind: 'document',
      title: 'Plans for May',
      fields: {
        title: 'Plans for May',
        content: lines.join('\n'),
        tasks: [
          { title: 'call Ada', status: 'open' },
          { title: 'buy paper', status: 'done' },
        ],
      },
    });
  });

  test('take the title from the file itself, or the file name', () => {
    expect(analyse(['first line of it'], 'A subject').title).toBe('A subject');
    expect(analyse(['first line of it']).title).toBe('first line of it');
    expect(analyse(['']).title).toBe('file.pdf');
  });

  test('contain nothing that a store rejects, within the limits', () => {
    const { fields, excerpt, textChars } = analyse([`a\0b\u0007c${'\ud83d\ude00'.repeat(20_000)}\ud800`]);
    expect(textChars).toBe(40_004);
    for (const text of [fields['content'] as string, excerpt]) {
      expect(text.length).toBeLessThanOrEqual(16_000);
      expect(text.isWellFormed()).toBe(true);
      expect(text.startsWith('abc')).toBe(true);
    }
  });
});

test('analyses any text, always with the same result', () => {
  const word = fc.constantFrom(
    'invoice',
    'Total:',
    'between',
    'and',
    '1.2.3',
    '12/31/26',
    '€',
    '5',
    '\t',
    '\n',
    ':',
    'Acme, Inc.',
    '(',
    'receipt',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(word, fc.string({ unit: 'binary' })), { maxLength: 30 }), (words) => {
      const text = words.join(' ');
      const once = analyseText({ text, isCut: false }, 'f');
      expect(analyseText({ text, isCut: false }, 'f')).toEqual(once);
      expect(() => JSON.stringify(once)).not.toThrow();
    }),
  );
});
