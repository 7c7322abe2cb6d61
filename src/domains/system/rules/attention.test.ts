import { expect, test } from 'vitest';
import { attentionKinds, attentionText } from './attention.ts';

test('says how many, also if not all were counted', () => {
  expect(attentionText('proposals', { count: 1 })).toBe('1 proposed rule waits for a decision');
  expect(attentionText('proposals', { count: 3 })).toBe('3 proposed rules wait for a decision');
  expect(attentionText('duplicates', { count: 50, isMore: true })).toBe(
    '50 or more groups of entities may be duplicates',
  );
  expect(attentionText('gates', { count: 1, isMore: true })).toBe('1 or more gates fail');
});

test('adds the reason', () => {
  expect(attentionText('store', { count: 1, reason: 'the disk is full' })).toBe(
    'The store does not accept writes: the disk is full',
  );
});

test('has a sentence for every kind', () => {
  for (const kind of attentionKinds) expect(attentionText(kind, { count: 2 })).toMatch(/^2 \w/);
});
