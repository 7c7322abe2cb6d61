import { expect, test } from 'vitest';
import { detectLanguage, isOtherThanEnglish } from './language.ts';

test.each([
  ['When did she move to the new flat?', 'en'],
  ['retry with backoff', 'en'],
  ['Wann ist die Rechnung für den Umbau fällig?', 'de'],
  ['Bäckerei Öffnungszeiten', 'de'],
  ['会議の議事録はどこですか', 'other'],
  ['где лежит отчёт', 'other'],
  ['où est-ce que la bibliothèque ferme le samedi', 'other'],
  ['qui a prêté le livre à Hélène et quand', 'other'],
  ['cuando vence la factura del proveedor', 'other'],
  ['perché il servizio non risponde alla richiesta', 'other'],
  ['waar staat het verslag van de vergadering', 'other'],
  ['invoice 2024', undefined],
  ['El Niño', undefined],
  ['Los Angeles office', undefined],
  ['e-mail of user@example.com', 'en'],
  ['HookContext app.service', undefined],
  ['', undefined],
  ['{}()', undefined],
] as const)('detects the language of %j: %s', (text, language) => {
  expect(detectLanguage(text)).toBe(language);
});

test.each([
  'When is the meeting with Jürgen and the team?',
  'flights from Los Angeles to Rio de Janeiro',
  'What did she say about "Le Petit Prince" and "El amor en los tiempos del cólera"?',
])('keeps an English sentence with foreign names: %j', (text) => {
  expect(isOtherThanEnglish(text)).toBe(false);
});
