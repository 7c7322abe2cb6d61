import { expect, it } from 'vitest';
import { toPayload } from './to-payload.ts';

const now = Date.UTC(2026, 0, 2);

it.each([
  ['a known time', Date.UTC(2020, 0, 1), '2020-01-01T00:00:00.000Z'],
  ['a time in the future', now + 1, '2026-01-02T00:00:00.000Z'],
  ['no time', undefined, '2026-01-02T00:00:00.000Z'],
  ['a broken date', Number.NaN, '2026-01-02T00:00:00.000Z'],
  ['an impossible year', -1e20, '2026-01-02T00:00:00.000Z'],
])('[IG20] dates an item with %s', (_title, at, expected) => {
  const { provenance } = toPayload('git', 'c', { kind: 'commit', id: 'i', fields: {}, at }, now);
  expect(provenance.extracted_at).toBe(expected);
});
