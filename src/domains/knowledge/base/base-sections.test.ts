import { expect, it } from 'vitest';
import { toBaseSection } from './base-sections.ts';

const common = { id: 'x', title: 'X', version: 'v5', category: 'hooks', tags: [], source: { path: 'x.json' } } as const;

it('what is found of a snippet is its description and its code', () => {
  const entry = { ...common, language: 'ts', description: 'Logs it.', code: 'log()' };
  expect(toBaseSection('snippets', entry)).toMatchObject({
    text: 'Logs it.\n\n```ts\nlog()\n```',
    breadcrumb: ['Snippets', 'X'],
  });
  expect(toBaseSection('snippets', { ...entry, description: '' }).text).toBe('```ts\nlog()\n```');
});

it('what is found of a pattern or a practice is its text, or, without one, what it says in few words', () => {
  const pattern = { ...common, symptom: 'It fails.', cause: 'A slip.', fix: 'Mend it.', content: '' };
  expect(toBaseSection('patterns', pattern).text).toBe('It fails.\n\nA slip.\n\nMend it.');
  expect(toBaseSection('patterns', { ...pattern, content: 'All of it.' }).text).toBe('All of it.');
  const practice = { ...common, practice: 'Do this.', reason: 'It helps.', content: '' };
  expect(toBaseSection('best-practices', practice).text).toBe('Do this.\n\nIt helps.');
  expect(toBaseSection('best-practices', { ...practice, content: 'All of it.' }).text).toBe('All of it.');
});

it('an entry of docs without text is found by its title alone', () => {
  expect(toBaseSection('docs', { ...common, content: '', breadcrumb: ['Page', 'X'] })).toMatchObject({
    text: '',
    breadcrumb: ['Page', 'X'],
  });
});
