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
  ])('[CX10] is a rule: %s', (text) => expect(chooseKind(text, undefined)).toBe('rule'));

  it.each([
    'the cache bug came from a stale key in the session store',
    'I had never seen this error before today',
    'Anna called about the contract',
    'the only open question is the price',
    'We looked at three offers and chose the second',
  ])('[CX10] is a note: %s', (text) => expect(chooseKind(text, undefined)).toBe('note'));

  it('[CX10] is a fact if it is about something', () => expect(chooseKind('always pays late', 'Globex')).toBe('fact'));

  it('[CX11] loses only the words that ask to remember it', () => {
    expect(withoutOpening('Remember that we meet at nine')).toBe('we meet at nine');
    expect(withoutOpening('please remember: the key is under the mat')).toBe('the key is under the mat');
    expect(withoutOpening('remember')).toBe('remember');
    expect(withoutOpening('The remembered text stays.')).toBe('The remembered text stays.');
  });
});
