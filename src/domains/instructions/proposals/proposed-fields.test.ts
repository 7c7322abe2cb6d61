import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstructionEntry } from '../entry-model.ts';
import { completeEntry } from '../rules/complete-entry.ts';
import { anyInput, fixtureNow } from '../rules/entries.fixture.ts';
import { fingerprintOf, toFields, toInput, withFields } from './proposed-fields.ts';

const context = { now: fixtureNow, canonicalOff: false };
const later = '2026-06-01T00:00:00.000Z';

/** Without what depends on the time of the write. */
const contentOf = ({ updatedAt: _updatedAt, changeLog, ...content }: InstructionEntry) => ({
  ...content,
  changes: changeLog.map(({ version }) => version),
});

describe('[IN52] proposed fields', () => {
  it('applied to the entry they were made from, give the proposed entry', () => {
    fc.assert(
      fc.property(anyInput, anyInput, (first, second) => {
        const base = completeEntry({ ...first, id: 'a' }, context);
        const given = toInput('a', base, second);
        const after = completeEntry(given, { ...context, existing: base });
        const fields = toFields(base, second, after);
        const approved = completeEntry(toInput('a', base, fields), { ...context, now: later, existing: base });
        expect(contentOf(approved)).toEqual(contentOf(after));
      }),
      {
        examples: [
          [
            { id: 'a', body: 'x' },
            { id: 'a', body: 'y', semanticSummary: 'x' },
          ],
        ],
      },
    );
  });

  it('contain only what changes, and null for a removed field', () => {
    const base = completeEntry({ id: 'a', body: 'x', rationale: 'why', tags: ['t'] }, context);
    const { rationale: _rationale, ...rest } = base;
    const after = completeEntry(
      { ...rest, body: 'y', semanticSummary: undefined },
      { ...context, existing: base, isReplaced: true },
    );
    const fields = toFields(base, after, after);
    expect(Object.keys(fields).toSorted()).toEqual(['body', 'changeLog', 'rationale', 'version']);
    expect(fields['rationale']).toBeNull();
    expect(withFields(base, fields)).not.toHaveProperty('rationale');
    expect(toInput('a', base, fields)).not.toHaveProperty('rationale');
  });

  it('have the same fingerprint whenever they are proposed', () => {
    const at = (changedAt: string) => ({
      body: 'x',
      changeLog: [{ version: '1.0.1', changedAt, summary: 'body changed' }],
    });
    const print = (time: string, base: string | null = 'e') => fingerprintOf('a', base, at(time));
    expect(print(later)).toBe(print(fixtureNow));
    expect(print(later, null)).not.toBe(print(later));
    expect(fingerprintOf('a', 'e', null)).not.toBe(fingerprintOf('a', 'e', {}));
  });
});
