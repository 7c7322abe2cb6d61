import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeTruth } from '../observations/truth.fixture.ts';
import { plantHouse } from './house.fixture.ts';
import { history } from './operations.fixture.ts';
import { type Rules, rules } from './rules.fixture.ts';

/** The whole size: FOURFOLD_TEST_TRUTH_HISTORIES=10000. */
const wantedCount = Number(process.env['FOURFOLD_TEST_TRUTH_HISTORIES'] ?? 0);
const usualCount = { sqlite: 150, postgres: 30 } as const;
/** So long a run of 10,000 may take. */
const timeout = 4 * 3_600_000;

describeTruth('random histories', (engine) => {
  const numRuns = wantedCount || usualCount[engine.kind];

  test(`${numRuns} of them, and what is known of them is what a simple reading of the rules says`, {
    timeout,
  }, async () => {
    const play = plantHouse(engine);
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
    ['a moment does not belong to what was before it', { isBy: (time, moment) => time < moment }],
    ['what was merged was always merged', { stoodAt: ({ unmergedAt }) => unmergedAt === undefined }],
    ['the newest array is the array', { isUnion: () => false }],
    ['a reference may not be mutual', { mayCircle: () => false }],
    ['nothing may be part of itself, but all else', { mayCircle: (type) => type !== 'PART_OF' }],
    ['a group is its root', { countsFor: (_group, root) => [root] }],
  ];

  test.each(wrong)('notice a rule that is wrong: %s', { timeout: 120_000 }, async (_what, rule) => {
    const play = plantHouse(engine);
    const { failed, errorInstance } = await fc.check(
      fc.asyncProperty(history, (operations) => play(operations, { ...rules, ...rule })),
      { numRuns: 300, endOnFailure: true },
    );
    expect(failed).toBe(true);
    // By a comparison, not by something that broke.
    expect((errorInstance as Error).name).toBe('AssertionError');
  });
});
