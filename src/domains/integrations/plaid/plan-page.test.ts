import { describe, expect, test } from 'vitest';
import { transaction } from '#tests/support/plaid-double.ts';
import { transactionsAnswer } from './plaid-answers.ts';
import { planPage } from './plan-page.ts';

const now = Date.parse('2026-11-01T00:00:00Z');
const item = {
  item_id: 'item-1',
  institution_name: 'First Platypus Bank',
  created_at: Date.parse('2026-09-01T00:00:00Z'),
  synced_at: null,
};

const pageOf = (parts: Readonly<Record<string, readonly object[]>>) =>
  transactionsAnswer.parse({ added: [], modified: [], removed: [], next_cursor: 'c', has_more: false, ...parts });

const timesOf = ({ payloads }: ReturnType<typeof planPage>) =>
  payloads.map(({ provenance }) => provenance.extracted_at);

describe('[IG12] the payloads of a page', () => {
  test('are the same at any time if the page comes again', () => {
    const page = pageOf({ added: [transaction('t1')], removed: [{ transaction_id: 't0', account_id: 'a' }] });
    const first = planPage(page, item, [], now);
    expect(planPage(page, item, [], now + 1e9)).toEqual(first);
    expect(timesOf(first)).toEqual(['2026-10-05T00:00:00.000Z', '2026-09-01T00:00:00.000Z']);
    expect(planPage(page, item, first.known, now).payloads).toEqual([]);
  });

  test('are later than every version before, also within one page and for an earlier date', () => {
    const page = pageOf({
      added: [transaction('t1')],
      modified: [transaction('t1', { amount: 13, date: '2026-10-01' }), transaction('t1', { amount: 14 })],
      removed: [{ transaction_id: 't1', account_id: 'a' }],
    });
    const plan = planPage(page, item, [], now);
    expect(timesOf(plan)).toEqual([
      '2026-10-05T00:00:00.000Z',
      '2026-10-05T00:00:00.001Z',
      '2026-10-05T00:00:00.002Z',
      '2026-10-05T00:00:00.003Z',
    ]);
    expect(plan.summary).toEqual({ added: 1, modified: 2, removed: 1 });
    expect(plan.known).toHaveLength(1);
    // The bank takes the removal back.
    expect(planPage(pageOf({ added: [transaction('t1')] }), item, plan.known, now).summary.modified).toBe(1);
  });

  test('have a time that the store accepts although the bank dates a transaction far ahead', () => {
    const page = pageOf({ added: [transaction('t1', { date: '2027-03-01' })] });
    expect(timesOf(planPage(page, item, [], now))).toEqual(['2026-09-01T00:00:00.000Z']);
  });
});
