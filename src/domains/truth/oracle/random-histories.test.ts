import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeTruth } from '../truth.fixture.ts';
import { createHistoryRunner } from './history-runner.fixture.ts';
import { type Rules, rules } from './oracle-rules.fixture.ts';
import { history } from './random-operations.fixture.ts';

/** Full size: FOURFOLD_TEST_TRUTH_HISTORIES=10000. */
const wantedCount = Number(process.env['FOURFOLD_TEST_TRUTH_HISTORIES'] ?? 0);
const usualCount = { sqlite: 150, postgres: 30 } as const;
/** Enough for 10,000 histories. */
const timeout = 4 * 3_600_000;

describeTruth('random histories', (engine) => {
  const numRuns = wantedCount || usualCount[engine.kind];

  test(`${numRuns} of them give the same answers as the oracle`, {
    timeout,
  }, async () => {
    const play = createHistoryRunner(engine);
    await fc.assert(
      fc.asyncProperty(history, (operations) => play(operations, rules)),
      { numRuns },
    );
  });

  if (engine.kind !== 'sqlite') return;

  const wrong: readonly (readonly [string, Partial<Rules>])[] = [
    [
      'the time of extraction is part of the content',
      { contentIdOf: (content, at) => rules.contentIdOf({ ...content, extractor_version: at }, at) },
    ],
    ['a company keeps its suffix', { normaliseName: (text) => rules.normaliseName(text, false) }],
    [
      'of two alike the larger id wins',
      {
        byRank: (field, a, b) => {
          const apart = rules.byRank(field, { ...a, id: 'x' }, { ...b, id: 'x' });
          return apart === 1 ? (a.id > b.id ? -1 : 1) : apart;
        },
      },
    ],
    ['a correction is a source like others', { isCorrection: () => false }],
    ['of two corrections the one that begins later wins', { byRecency: (a, b) => b.effectiveAt - a.effectiveAt }],
    ['no correction gives way', { givesWay: () => false }],
    ['a correction gives way to all that is recorded later', { givesWay: (one, to) => to.createdAt > one.createdAt }],
    ['a correction gives way to all that begins later', { givesWay: (one, to) => to.effectiveAt > one.effectiveAt }],
    ['a payload is submitted once', { isSameSubmission: (a, b) => a.contentId === b.contentId }],
    [
      'the agent makes no difference',
      { isSameSubmission: (a, b) => rules.isSameSubmission(a, { ...b, agent: a.agent }) },
    ],
    [
      'the effective times make no difference',
      { isSameSubmission: (a, b) => rules.isSameSubmission(a, { ...b, effective: a.effective }) },
    ],
    ['every submission is another one', { isSameSubmission: () => false }],
    [
      'the newest observation wins',
      { byRank: (field, a, b) => b.observedAt - a.observedAt || rules.byRank(field, a, b) },
    ],
    ['a statement holds since it was observed', { startOf: (observedAt) => observedAt }],
    ['a statement holds since it was recorded', { startOf: (_observedAt, createdAt) => createdAt }],
    [
      'a statement holds before its start',
      { holdsAt: (one, moment) => rules.holdsAt({ ...one, effectiveAt: 0 }, moment) },
    ],
    ['a new schema changes what was known', { wasActive: () => true }],
    ['a type has only the fields of its schema', { fieldOf: ({ fields }, name) => fields[name] }],
    ['a document has any field', { fieldOf: (schema, name) => rules.fieldOf({ ...schema, open: true }, name) }],
    [
      'raw fragments make a statement more specific',
      { specificityOf: (fields, raw, schema) => rules.specificityOf({ ...fields, ...raw }, {}, schema) },
    ],
    ['a moment does not belong to what was before it', { isKnownAt: (time, moment) => time < moment }],
    ['what was merged was always merged', { isInEffect: ({ unmergedAt }) => unmergedAt === undefined }],
    ['the newest array is the array', { isUnion: () => false }],
    ['a reference may not be mutual', { allowsCycle: () => false }],
    ['nothing may be part of itself, but all else', { allowsCycle: (type) => type !== 'PART_OF' }],
    ['a group is its root', { countedMembers: (_group, root) => [root] }],
  ];

  /** Few statements end, so that the full size is needed to see it; `effective-times.test.ts` has examples. */
  const rare: readonly (readonly [string, Partial<Rules>])[] = [
    [
      'a statement never ends',
      { holdsAt: (one, moment) => rules.holdsAt({ ...one, effectiveUntil: undefined }, moment) },
    ],
    [
      'the end of a statement belongs to it',
      { holdsAt: (one, moment) => rules.holdsAt(one, moment) || one.effectiveUntil === moment },
    ],
  ];

  /** Nearly every history shows these; the others need more histories than the sample has. */
  const frequent: ReadonlySet<string> = new Set([
    ...['a company keeps its suffix', 'a payload is submitted once', 'every submission is another one'],
  ]);
  const sample = wrong.filter(([what]) => frequent.has(what));

  test.each(wantedCount === 0 ? sample : [...wrong, ...rare])(
    'negative control: detects a wrong rule: %s',
    { timeout: 600_000 },
    async (_what, rule) => {
      const play = createHistoryRunner(engine);
      const { failed, errorInstance } = await fc.check(
        fc.asyncProperty(history, (operations) => play(operations, { ...rules, ...rule })),
        { numRuns: Math.max(300, wantedCount), endOnFailure: true },
      );
      expect(failed).toBe(true);
      // Failed by a comparison, not by another error.
      expect((errorInstance as Error).name).toBe('AssertionError');
    },
  );
});
