import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instructionInput } from '../entry-model.ts';
import { completeEntry } from './complete-entry.ts';
import { anyInput, fixtureNow } from './entries.fixture.ts';
import { mapEntry, mapId, mappedFieldsOf } from './map-entry.ts';

const mapped = (fields: object) => mapEntry({ id: 'a', body: 'x', ...fields });

describe('[IN57] values of other catalogs', () => {
  it.each([
    ['audience', 'developers', 'group'],
    ['audience', 'agents', 'all'],
    ['audience', 'Everyone', 'all'],
    ['audience', 'ALL', 'all'],
    ['audience', ['developers', 'reviewers'], 'group'],
    ['audience', ['developers', 'agents'], 'all'],
    ['requirement', 'MUST', 'mandatory'],
    ['requirement', 'SHOULD', 'recommended'],
    ['requirement', 'Critical', 'critical'],
    ['requirement', 'Always, except on Fridays', 'recommended'],
    ['priorityTier', 'P0', 'P1'],
    ['supersedes', 'Old.Rule', 'old-rule'],
    ['dependencies', ['Git.Basics', 'other'], ['git-basics', 'other']],
  ])('%s %j becomes %j', (field, from, to) => {
    const { raw, mapped: report } = mapped({ [field]: from, priority: 5 });
    expect(raw).toMatchObject({ [field]: to, extensions: { mappedFrom: { [field]: from } } });
    expect(report).toMatchObject([{ field, from: expect.any(String), to: expect.any(String) }]);
    expect(instructionInput.safeParse(raw).success).toBe(true);
  });

  it.each([
    ['Git.CommitStyle', 'git-commitstyle'],
    ['git.commit-style', 'git-commit-style'],
    ['plain', 'plain'],
    ['.hidden', undefined],
    ['../x', undefined],
    ['a b', undefined],
    ['Gates', undefined],
    ['', undefined],
  ])('the id %j becomes %j', (from, to) => expect(mapId(from)).toBe(to));

  it('makes the primary category the first and keeps at most as many as an entry may have', () => {
    const categories = Array.from({ length: 25 }, (_, i) => `c${i}`);
    expect(mapped({ categories: ['git', 'Style'], primaryCategory: 'style' }).raw['categories']).toEqual([
      'style',
      'git',
    ]);
    expect(mapped({ categories, primaryCategory: 'git' }).raw['categories']).toHaveLength(25);
    expect(mapped({ primaryCategory: 'git' }).raw['categories']).toEqual(['git']);
  });

  it('gives the highest tier a priority of the first tier', () => {
    expect(mapped({ priorityTier: 'P0', priority: 60 }).raw).toMatchObject({ priority: 20 });
    expect(mapped({ priorityTier: 'P0' }).raw).toMatchObject({ priority: 20 });
    expect(mapped({ priorityTier: 'P0', priority: 60, requirement: 'MUST' }).raw).toMatchObject({ priority: 60 });
  });

  it('accepts more forms from a newer schema, and keeps what has no counterpart', () => {
    const strange = { schemaVersion: 3, priority: '7', status: 'active', classification: 'Confidential', version: 2 };
    const more = { lastReviewedAt: '2026-02-03', changeLog: 'none', rationale: null, tags: 'git' };
    const { raw } = mapped({ ...strange, ...more });
    expect(raw).toMatchObject({
      schemaVersion: '3',
      priority: 7,
      status: 'approved',
      classification: 'restricted',
      version: '2',
      lastReviewedAt: '2026-02-03T00:00:00.000Z',
      tags: ['git'],
      extensions: { mappedFrom: { changeLog: 'none', priority: '7' } },
    });
    expect(raw).not.toHaveProperty('changeLog');
    expect(instructionInput.safeParse(raw).success).toBe(true);
    expect(mapped({ priority: '7', status: 'active' }).mapped).toEqual([]);
  });

  it('leaves every entry of this program alone', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        expect(mapEntry(input)).toEqual({ raw: input, mapped: [], isForeign: expect.any(Boolean) });
        expect(mappedFieldsOf(completeEntry(input, { now: fixtureNow, canonicalOff: false }))).toEqual([]);
      }),
    );
  });

  it('throws on nothing that JSON can contain', () => {
    fc.assert(
      fc.property(
        fc.record({ schemaVersion: fc.constantFrom('2', '3', 4) }),
        fc.dictionary(fc.constantFrom(...Object.keys(instructionInput.shape)), fc.jsonValue()),
        (version, fields) => {
          const { raw } = mapEntry({ ...fields, ...version, id: 'a', body: 'x' });
          if (Number(version.schemaVersion) > 2)
            expect(instructionInput.safeParse({ ...raw, extensions: {} }).error?.issues ?? []).toEqual([]);
        },
      ),
      { examples: [[{ schemaVersion: '3' }, { userId: null }]] },
    );
  });
});
