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
        byRank: (field, a, b) =>
          rules.byRank(field, { ...a, id: '' }, { ...b, id: 'x' }) === -1 && a.id > b.id
            ? -1
            : rules.byRank(field, a, b),
      },
    ],
    [
      'a correction is a source like others',
      { byRank: (field, a, b) => rules.byRank(field, { ...a, kind: 'payload' }, { ...b, kind: 'payload' }) },
    ],
    [
      'raw fragments make a statement more specific',
      { specificityOf: (fields, raw, schema) => rules.specificityOf({ ...fields, ...raw }, {}, schema) },
    ],
    ['a moment does not belong to what was before it', { isAtOrBefore: (time, moment) => time < moment }],
    ['what was merged was always merged', { isInEffect: ({ unmergedAt }) => unmergedAt === undefined }],
    ['the newest array is the array', { isUnion: () => false }],
    ['a reference may not be mutual', { allowsCycle: () => false }],
    ['nothing may be part of itself, but all else', { allowsCycle: (type) => type !== 'PART_OF' }],
    ['a group is its root', { countedMembers: (_group, root) => [root] }],
  ];

  test.each(wrong)('negative control: detects a wrong rule: %s', { timeout: 600_000 }, async (_what, rule) => {
    const play = createHistoryRunner(engine);
    const { failed, errorInstance } = await fc.check(
      fc.asyncProperty(history, (operations) => play(operations, { ...rules, ...rule })),
      { numRuns: 300, endOnFailure: true },
    );
    expect(failed).toBe(true);
    // Failed by a comparison, not by another error.
    expect((errorInstance as Error).name).toBe('AssertionError');
  });
});
