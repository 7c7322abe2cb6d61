import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instructionInput } from '../entry-model.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { isCertainlyValid } from './fast-validation.ts';

const now = '2026-01-31T10:20:30.400Z';
const complete = completeEntry(
  {
    id: 'a',
    body: 'x',
    tags: ['t'],
    dependencies: ['b'],
    teamIds: ['core'],
    rationale: 'because',
    supersedes: 'old',
    examples: ['one'],
  },
  { now, canonicalOff: false, agentId: 'agent', workspace: 'w' },
);

/** Values on both sides of every rule, and of other types. */
const anyField = fc.oneof(
  fc.constantFrom<unknown>('', 'a', '-', 'A', 'all', 'P1', 'approved', 'mandatory', 'public', now),
  fc.constantFrom('2024-02-29T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-01-01', '2026-13-01T00:00:00.000Z'),
  fc.constantFrom('x'.repeat(200), 'x'.repeat(201), 'x'.repeat(600), 'x'.repeat(601), 'x'.repeat(10_001)),
  fc.constantFrom<unknown>(0, 1, 100, 101, 3_650, 3_651, 1.5, -1, 2 ** 53, Number.POSITIVE_INFINITY, null, true),
  fc.constantFrom<unknown>([], ['a'], [''], ['A'], [1], Array(25).fill('c'), Array(26).fill('c'), Array(101).fill('c')),
  fc.constantFrom<unknown>(
    [{ version: '1', changedAt: now, summary: 's' }],
    [{ version: '1', changedAt: now, summary: 's', more: 1 }],
    [{ version: '1', changedAt: now }],
    {},
  ),
);
const keys = [...Object.keys(instructionInput.shape), 'foreign', '__proto__', 'constructor'];

describe('isCertainlyValid', () => {
  test('accepts only inputs that the schema accepts unchanged', () => {
    const edits = fc.array(fc.tuple(fc.constantFrom(...keys), anyField), { maxLength: 2 });
    let plainCount = 0;
    fc.assert(
      fc.property(edits, (edited) => {
        const value = { ...complete, ...Object.fromEntries(edited) };
        if (!isCertainlyValid(value)) return;
        plainCount += 1;
        const parsed = instructionInput.safeParse(value);
        expect(parsed.error).toBeUndefined();
        expect(parsed.data).toEqual(value);
      }),
      { numRuns: 3_000 },
    );
    expect(plainCount).toBeGreaterThan(300);
  });

  test('accepts every common complete entry', () => {
    expect(isCertainlyValid(complete)).toBe(true);
    expect(isCertainlyValid({ id: 'a', body: 'x' })).toBe(true);
  });

  test.each([
    { id: 'a' },
    { body: 'x' },
    {},
    { id: 'a', body: 'x', owner: null },
    { id: 'a', body: 'x', extensions: {} },
  ])('does not accept %j', (value) => {
    expect(isCertainlyValid(value)).toBe(false);
  });
});
