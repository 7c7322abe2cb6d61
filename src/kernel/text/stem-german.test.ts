import { expect, test } from 'vitest';
import { stemGerman } from './stem-german.ts';

test.each([
  ['rechnung', 'rechnungen'],
  ['schlussel', 'schlusseln'],
  ['gewartet', 'gewartete'],
  ['kuchen', 'kuchens'],
  ['schnell', 'schnellsten'],
])('gives %s and %s the same stem', (one, other) => {
  expect(stemGerman(one)).toBe(stemGerman(other));
});

test('keeps short words and different words apart', () => {
  expect(stemGerman('tee')).toBe('tee');
  expect(stemGerman('miete')).not.toBe(stemGerman('mittel'));
});
