import { expect, it } from 'vitest';
import { toBaseSection } from './base-sections.ts';

const common = {
  ...{ id: 'x', title: 'X', version: 'v5' as const, category: 'hooks', tags: [] },
  source: { path: 'x.json' },
};

it('makes the text of a snippet from its description and code', () => {
  const entry = { ...common, language: 'ts', description: 'Logs it.', code: 'log()' };
  expect(toBaseSection('snippets', entry)).toMatchObject({
    text: 'Logs it.\n\n```ts\nlog()\n```',
    breadcrumb: ['Snippets', 'X'],
  });
  expect(toBaseSection('snippets', { ...entry, description: '' }).text).toBe('```ts\nlog()\n```');
});

it('makes the text of a pattern or practice from its content, or else from its short fields', () => {
  const pattern = { ...common, symptom: 'It fails.', cause: 'A slip.', fix: 'Mend it.', content: '' };
  expect(toBaseSection('patterns', pattern).text).toBe('It fails.\n\nA slip.\n\nMend it.');
  expect(toBaseSection('patterns', { ...pattern, content: 'All of it.' }).text).toBe('All of it.');
  const practice = { ...common, practice: 'Do this.', reason: 'It helps.', content: '' };
  expect(toBaseSection('best-practices', practice).text).toBe('Do this.\n\nIt helps.');
  expect(toBaseSection('best-practices', { ...practice, content: 'All of it.' }).text).toBe('All of it.');
});

it('accepts a docs entry without text', () => {
  expect(toBaseSection('docs', { ...common, content: '', breadcrumb: ['Page', 'X'] })).toMatchObject({
    text: '',
    breadcrumb: ['Page', 'X'],
  });
});
