import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { completeEntry } from './complete-entry.ts';
import { anyInput, fixtureNow } from './entries.fixture.ts';
import { type GroomContext, type GroomItem, type GroomMode, type GroomPlan, groomSteps } from './plan-groom.ts';

function planGroom(items: readonly GroomItem[], mode: GroomMode, context: GroomContext): GroomPlan {
  const steps = groomSteps(items, mode, context);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

const context = { now: '2026-06-01T00:00:00.000Z', canonicalOff: false };
const make = (id: string, patch: Partial<InstructionInput> = {}) =>
  completeEntry({ id, body: id, ...patch }, { ...context, now: fixtureNow });
const quiet: GroomMode = {
  mergeDuplicates: false,
  removeDeprecated: false,
  normalizeCategories: true,
  purgeLegacyScopes: false,
  updateHashes: true,
};
const plan = (entries: readonly InstructionEntry[], mode: Partial<GroomMode> = {}) =>
  planGroom(
    entries.map((entry) => ({ entry })),
    { ...quiet, ...mode },
    context,
  );

describe('groomSteps', () => {
  it('changes nothing in a clean catalog', () => {
    expect(plan([make('a'), make('b')]).changes.size).toBe(0);
  });

  it('corrects wrong hashes unless disabled', () => {
    const entry = { ...make('a'), sourceHash: 'wrong' };
    expect(plan([entry])).toMatchObject({ repairedHashes: 1 });
    expect(plan([entry]).changes.get('a')?.sourceHash).toBe(make('a').sourceHash);
    expect(plan([entry], { updateHashes: false }).changes.size).toBe(0);
  });

  it('counts stored categories as they are stored', () => {
    const items = [{ entry: make('a', { categories: ['b'] }), storedCategories: ['B', 'scope:user:ann'] }];
    expect(planGroom(items, quiet, context)).toMatchObject({ normalizedCategories: 1, purgedScopes: 0 });
    expect(planGroom(items, { ...quiet, purgeLegacyScopes: true }, context)).toMatchObject({ purgedScopes: 1 });
    expect(planGroom(items, { ...quiet, normalizeCategories: false }, context).changes.size).toBe(0);
  });

  it('[IN26] merges equal bodies into the oldest entry and deprecates the others', () => {
    const body = 'same';
    const entries = [
      make('a', { body, priority: 60, categories: ['x'] }),
      make('b', {
        body,
        priority: 30,
        categories: ['y'],
        createdAt: '2025-01-01T00:00:00.000Z',
        requirement: 'recommended',
      }),
      make('c', { body, userId: 'ann' }),
    ];
    const { changes, duplicatesMerged } = plan(entries, { mergeDuplicates: true });
    expect(duplicatesMerged).toBe(1);
    expect(changes.get('b')).toMatchObject({ priority: 30, categories: ['x', 'y'], riskScore: 90, status: 'approved' });
    expect(changes.get('a')).toMatchObject({ status: 'deprecated', requirement: 'deprecated', deprecatedBy: 'b' });
    expect(changes.has('c')).toBe(false);
    const after = entries.map((entry) => changes.get(entry.id) ?? entry);
    expect(plan(after, { mergeDuplicates: true }).duplicatesMerged).toBe(0);
  });

  it.each<[string, Partial<InstructionInput>]>([
    ['another user', { userId: 'ann' }],
    ['another workspace', { workspaceId: 'w' }],
    ['another team', { teamIds: ['core'] }],
    ['another audience', { audience: 'group' }],
    ['a draft', { status: 'draft' }],
    ['an entry under review', { status: 'review' }],
  ])('[IN26] does not merge equal bodies for %s and notes it', (_name, patch) => {
    const { changes, duplicatesMerged, notes } = plan([make('a', { body: 's' }), make('b', { body: 's', ...patch })], {
      mergeDuplicates: true,
    });
    expect(duplicatesMerged).toBe(0);
    expect(changes.size).toBe(0);
    expect(notes).toEqual(['kept-apart:a:1']);
  });

  it('the merged entry applies wherever one of them did', () => {
    const entries = [
      make('a', { body: 's', appliesTo: { files: ['*.ts'] } }),
      make('b', { body: 's', appliesTo: { files: ['*.ts', '*.js'], tasks: ['review'] } }),
      make('c', { body: 's' }),
    ];
    const { changes } = plan(entries, { mergeDuplicates: true });
    expect(changes.get('a')?.appliesTo).toEqual({ files: ['*.ts', '*.js'], tasks: ['review'] });
    const review = { all: [{ tasks: ['review'] }, { languages: ['go'] }] };
    const triggersOf = (...given: readonly NonNullable<InstructionEntry['appliesTo']>[]) =>
      plan(
        given.map((appliesTo, i) => make('abc'[i]!, { body: 's', appliesTo })),
        { mergeDuplicates: true },
      ).changes.get('a')?.appliesTo;
    expect(triggersOf({ tasks: ['deploy'] }, review, { always: true })).toEqual({
      tasks: ['deploy'],
      always: true,
      ...review,
    });
    expect(triggersOf(review, { all: [{ tools: ['git'] }] })).toEqual({
      tasks: ['review'],
      tools: ['git'],
      languages: ['go'],
    });
    const plain = plan([make('a', { body: 's' }), make('b', { body: 's' })], { mergeDuplicates: true });
    expect(plain.changes.get('a')).not.toHaveProperty('appliesTo');
    expect(plain.notes).toEqual(['merged:a:1']);
  });

  it('prefers the smallest id among entries of equal age', () => {
    const { changes } = plan([make('b', { body: 's' }), make('a', { body: 's' })], { mergeDuplicates: true });
    expect(changes.get('b')?.deprecatedBy).toBe('a');
  });

  it('removes deprecated entries only when an active replacement exists', () => {
    const old = (id: string, deprecatedBy: string) => make(id, { requirement: 'deprecated', deprecatedBy });
    const entries = [old('a', 'b'), old('b', 'live'), old('c', 'gone'), old('d', 'e'), old('e', 'd'), make('live')];
    const { changes, deprecatedRemoved } = plan(entries, { removeDeprecated: true });
    expect([...changes]).toEqual([
      ['a', null],
      ['b', null],
    ]);
    expect(deprecatedRemoved).toBe(2);
  });

  it('archives merged duplicates immediately when deprecated entries are removed', () => {
    const { changes } = plan([make('a', { body: 's' }), make('b', { body: 's' })], {
      mergeDuplicates: true,
      removeDeprecated: true,
    });
    expect(changes.get('b')).toBeNull();
  });

  it('[IN25] is idempotent and loses no body', () => {
    const every: GroomMode = {
      mergeDuplicates: true,
      removeDeprecated: true,
      normalizeCategories: true,
      purgeLegacyScopes: true,
      updateHashes: true,
    };
    fc.assert(
      fc.property(fc.array(anyInput, { maxLength: 8 }), (inputs) => {
        const entries = inputs.map((input, at) => make(`e${at}`, { ...input, id: `e${at}` }));
        const first = plan(entries, every);
        const after = entries
          .map((entry) => (first.changes.has(entry.id) ? first.changes.get(entry.id) : entry))
          .filter((entry) => entry != null);
        expect(plan(after, every).changes.size).toBe(0);
        expect(new Set(after.map(({ body }) => body))).toEqual(new Set(entries.map(({ body }) => body)));
      }),
    );
  });
});
