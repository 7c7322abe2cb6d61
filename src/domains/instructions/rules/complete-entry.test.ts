import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instructionEntry } from '../entry-model.ts';
import { type CompleteContext, completeEntry } from './complete-entry.ts';
import {
  entryGovernanceHash,
  type GovernedFields,
  governanceLineOf,
  projectionOf,
  sourceHashOf,
  startGovernanceHash,
  tierOf,
} from './derived-fields.ts';

function governanceHashOf(entries: readonly GovernedFields[], trailingNewline: boolean): string {
  const hash = startGovernanceHash(trailingNewline);
  for (const entry of entries) hash.add([governanceLineOf(entry)]);
  return hash.digest();
}

import { anyBody, anyInput, fixtureNow } from './entries.fixture.ts';
import { keptFieldNames, keptFields } from './full-entry.fixture.ts';

const context: CompleteContext = { now: fixtureNow, canonicalOff: false };
const later = '2026-06-01T00:00:00.000Z';

describe('completeEntry', () => {
  it('returns a valid entry and is idempotent', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const entry = completeEntry(input, context);
        expect(instructionEntry.parse(entry)).toEqual(entry);
        expect(completeEntry(entry, { ...context, now: later })).toEqual(entry);
        expect(completeEntry(entry, { ...context, now: later, existing: entry })).toEqual(entry);
        expect(JSON.parse(JSON.stringify(entry))).toEqual(entry);
      }),
    );
  });

  it('[IN15] computes fields whatever the input contains', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const lies = {
          sourceHash: 'x',
          governanceHash: 'x',
          priorityTier: 'P4',
          riskScore: -1,
          usageCount: 9,
        } as const;
        const entry = completeEntry({ ...input, ...lies }, context);
        expect(entry).toEqual(completeEntry(input, context));
        expect(entry.sourceHash).toBe(sourceHashOf(entry.body));
        expect(entry.priorityTier).toBe(tierOf(entry.priority, entry.requirement));
        expect(entry.governanceHash).toBe(entryGovernanceHash(entry));
      }),
    );
  });

  it('[IN27] uses the documented defaults', () => {
    expect(
      completeEntry({ id: 'alpha', body: 'One\nTwo\n' }, { ...context, agentId: 'bot', workspace: 'ws' }),
    ).toMatchObject({
      id: 'alpha',
      title: 'alpha',
      body: 'One\nTwo',
      priority: 50,
      audience: 'all',
      requirement: 'optional',
      categories: [],
      version: '1.0.0',
      status: 'approved',
      owner: 'unowned',
      classification: 'internal',
      priorityTier: 'P3',
      riskScore: 55,
      reviewIntervalDays: 90,
      nextReviewDue: '2026-04-01T00:00:00.000Z',
      semanticSummary: 'One',
      createdByAgent: 'bot',
      sourceWorkspace: 'ws',
      createdAt: fixtureNow,
      updatedAt: fixtureNow,
      changeLog: [{ version: '1.0.0', changedAt: fixtureNow, summary: 'created' }],
    });
    expect(completeEntry({ id: 'a', body: 'x', requirement: 'deprecated' }, context).status).toBe('deprecated');
  });

  it('[IN30] keeps the governance hash when only the body was edited', () => {
    fc.assert(
      fc.property(anyInput, anyBody, (input, body) => {
        const entry = completeEntry(input, context);
        const edited = completeEntry({ ...entry, body }, { ...context, now: later });
        expect(edited.governanceHash).toBe(entry.governanceHash);
      }),
    );
  });

  it('[IN16] raises patch version and change log by one exactly when the body changes', () => {
    fc.assert(
      fc.property(anyInput, anyBody, (input, body) => {
        const existing = completeEntry({ ...input, version: '1.2.3' }, context);
        const after = completeEntry({ ...existing, body }, { ...context, now: later, existing });
        const isChanged = after.body !== existing.body;
        expect(after.version).toBe(isChanged ? '1.2.4' : '1.2.3');
        expect(after.changeLog.length).toBe(existing.changeLog.length + (isChanged ? 1 : 0));
        expect(after.governanceHash === existing.governanceHash).toBe(!isChanged);
        expect(after.updatedAt).toBe(isChanged ? later : existing.updatedAt);
        expect(after.createdAt).toBe(existing.createdAt);
      }),
    );
  });

  it('lets a given change log grow but not rewrite history', () => {
    const existing = completeEntry({ id: 'a', body: 'x' }, context);
    const line = { version: '2.0.0', changedAt: later, summary: 'for the new build' };
    const grown = [...existing.changeLog, line];
    const replace = { ...context, now: later, existing };
    expect(completeEntry({ ...existing, version: '2.0.0', changeLog: grown }, replace).changeLog).toEqual(grown);
    const forged = completeEntry({ ...existing, version: '2.0.0', changeLog: [line] }, replace).changeLog;
    expect(forged).toEqual([...existing.changeLog, { version: '2.0.0', changedAt: later, summary: 'body changed' }]);
  });

  it('[IN59] keeps every field that is not given, or drops all of them', () => {
    expect(Object.keys(keptFields).toSorted()).toEqual(keptFieldNames.toSorted());
    const existing = completeEntry({ id: 'a', body: 'x', ...keptFields }, context);
    expect(existing).toMatchObject(keptFields);
    fc.assert(
      fc.property(fc.subarray(keptFieldNames), (given) => {
        const input = { id: 'a', body: 'x', ...Object.fromEntries(given.map((field) => [field, keptFields[field]])) };
        expect(completeEntry(input, { ...context, now: later, existing })).toEqual(existing);
        // Nothing but the history comes from the stored entry.
        const { version, changeLog, createdAt } = existing;
        const replaced = completeEntry(input, { ...context, now: later, existing, isReplaced: true });
        const fresh = completeEntry({ ...input, version, changeLog, createdAt }, { ...context, now: later });
        expect({ ...replaced, updatedAt: '' }).toEqual({ ...fresh, updatedAt: '' });
      }),
    );
  });

  it('[IN59] derives a summary from the new body unless a person wrote it', () => {
    const overwrite = { ...context, now: later, existing: completeEntry({ id: 'a', body: 'x' }, context) };
    expect(completeEntry({ id: 'a', body: 'y' }, overwrite).semanticSummary).toBe('y');
  });

  it('moves a derived review date with the tier and keeps one that was set', () => {
    const existing = completeEntry({ id: 'a', body: 'x', priority: 50 }, context);
    const replace = { ...context, now: later, existing };
    expect(completeEntry({ ...existing, priority: 10 }, replace)).toMatchObject({
      reviewIntervalDays: 30,
      nextReviewDue: '2026-01-31T00:00:00.000Z',
    });
    expect(completeEntry({ ...existing, priority: 10, nextReviewDue: later }, replace).nextReviewDue).toBe(later);
    expect(completeEntry({ ...existing, reviewIntervalDays: 7 }, replace).nextReviewDue).toBe(
      '2026-01-08T00:00:00.000Z',
    );
  });
});

describe('governance hash', () => {
  const entry = completeEntry({ id: 'a', body: 'x', owner: 'team' }, context);

  it('uses the documented key order', () => {
    expect(Object.keys(projectionOf(entry)).join()).toBe(
      'id,title,version,owner,priorityTier,nextReviewDue,semanticSummarySha256,changeLogLength',
    );
  });

  it.each([
    ['title', { title: 'other' }],
    ['version', { version: '9.0.0' }],
    ['owner', { owner: 'other' }],
    ['priority', { priority: 1 }],
    ['nextReviewDue', { nextReviewDue: later }],
    ['semanticSummary', { semanticSummary: 'other' }],
    ['changeLog', { changeLog: [...entry.changeLog, ...entry.changeLog] }],
  ])('changes with %s', (_field, patch) => {
    expect(completeEntry({ ...entry, ...patch }, context).governanceHash).not.toBe(entry.governanceHash);
  });

  it('joins projections by newlines and optionally ends with one', () => {
    expect(governanceHashOf([entry], false)).toBe(entry.governanceHash);
    expect(governanceHashOf([entry], true)).toBe(sourceHashOf(`${JSON.stringify(projectionOf(entry))}\n`));
    expect(governanceHashOf([], false)).toBe(sourceHashOf(''));
  });
});
