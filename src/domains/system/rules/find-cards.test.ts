import { expect, test } from 'vitest';
import { allCards } from '#app/generate/generate.ts';
import { findCards } from './find-cards.ts';

const names = (query: string, limit = 5) => findCards(allCards(), query, limit).map((found) => found.name);

test('[SY3] finds tools by words of the name and of the texts, stemmed', () => {
  expect(names('verify audit')[0]).toBe('audit_verify');
  expect(names('who changed an item')[0]).toBe('audit_list');
  expect(names('verifying the trails')[0]).toBe('audit_verify');
  expect(names('check the health of the server')[0]).toBe('health_check');
  expect(names('rules that apply to a review')).toContain('instructions_applicable');
});

test('[SY3] respects the limit and returns nothing for unknown words', () => {
  expect(names('the tool', 2)).toHaveLength(2);
  expect(names('xyzzy')).toEqual([]);
  expect(names('')).toEqual([]);
});
