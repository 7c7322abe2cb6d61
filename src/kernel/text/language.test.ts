import { expect, test } from 'vitest';
import { detectLanguage, isOtherThanEnglish } from './language.ts';

test.each([
  ['When did she move to the new flat?', 'en'],
  ['retry with backoff', 'en'],
  ['Wann ist die Rechnung für den Umbau fällig?', 'de'],
  ['Bäckerei Öffnungszeiten', 'de'],
  ['会議の議事録はどこですか', 'other'],
  ['где лежит отчёт', 'other'],
  ['invoice 2024', undefined],
  ['HookContext app.service', undefined],
  ['', undefined],
  ['{}()', undefined],
] as const)('detects the language of %j: %s', (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

test('keeps an English sentence with a German name', () => {
  expect(isOtherThanEnglish('When is the meeting with Jürgen and the team?')).toBe(false);
});
