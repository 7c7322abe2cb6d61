import { expect, it } from 'vitest';
import { readFields } from './read-fields.ts';

it('[CX12] reads fields that a text states as pairs', () =>
  expect(readFields('Globex\nstatus: active; due date = 2026-05-01\nPayment-terms: 14 days')).toEqual({
    status: 'active',
    due_date: '2026-05-01',
    payment_terms: '14 days',
  }));

it.each([
  'Globex moved to Berlin',
  'see https://example.com/a',
  'at 10:30 we talked',
  'x'.repeat(50_000),
  ': nothing',
  '',
])('[CX12] guesses nothing from other texts', (text) => expect(readFields(text)).toEqual({}));
