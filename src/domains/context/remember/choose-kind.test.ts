import { describe, expect, it } from 'vitest';
import { chooseKind, withoutOpening } from './choose-kind.ts';

describe('the kind of a remembered text', () => {
  it.each([
    'always run the linter before you commit',
    'Never push to main on a Friday.',
    'from now on, write dates as 2026-05-01',
    "Don't use default exports",
    'We deploy on Fridays only after QA',
    'I prefer tabs',
    'You must not log personal data.',
    'The build is red. Make sure that it is green first.',
    'Secrets must be stored in the vault',
    'Use pnpm, not npm, in this repo',
    'All API responses must include a request id',
    'Schreibe Commit-Nachrichten immer auf Englisch.',
    'Wir deployen freitags nie ohne Freigabe',
    'コミットメッセージは必ず英語で書くこと',
  ])('[CX10] is a rule: %s', (text) => expect(chooseKind(text, undefined)).toBe('rule'));

  it.each([
    'the cache bug came from a stale key in the session store',
    'I had never seen this error before today',
    'Anna called about the contract',
    'the only open question is the price',
    'We looked at three offers and chose the second',
    'I must call Anna tomorrow',
    'It must have been the cache',
    'Sarah kommt immer zu spät',
    'Kunde Müller möchte die Rechnung künftig per E-Mail bekommen.',
    '来週の火曜日に田中さんと打ち合わせがあります。',
    'the team used npm and not pnpm last year',
  ])('[CX10] is a note: %s', (text) => expect(chooseKind(text, undefined)).toBe('note'));

  it('[CX10] is a fact if it is about something', () => expect(chooseKind('always pays late', 'Globex')).toBe('fact'));

  it('[CX11] loses only the words that ask to remember it', () => {
    expect(withoutOpening('Remember that we meet at nine')).toBe('we meet at nine');
    expect(withoutOpening('please remember: the key is under the mat')).toBe('the key is under the mat');
    expect(withoutOpening('remember')).toBe('remember');
    expect(withoutOpening('The remembered text stays.')).toBe('The remembered text stays.');
  });
});
