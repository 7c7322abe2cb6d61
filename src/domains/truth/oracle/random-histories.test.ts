import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeTruth } from '../truth.fixture.ts';
import { createHistoryRunner } from './history-runner.fixture.ts';
import { rules } from './oracle-rules.fixture.ts';
import { history } from './random-operations.fixture.ts';
import { deletedEdge, wrongRules } from './wrong-rules.fixture.ts';

/** Full size: FOURFOLD_TEST_TRUTH_HISTORIES=10000. */
const wantedCount = Number(process.env['FOURFOLD_TEST_TRUTH_HISTORIES'] ?? 0);
const usualCount = { sqlite: 60, postgres: 15 } as const;
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

  test.each(wrongRules)(
    'negative control: detects a wrong rule: %s',
    { timeout: 600_000 },
    async (_what, rule, seed) => {
      const play = createHistoryRunner(engine);
      const { failed, errorInstance } = await fc.check(
        fc.asyncProperty(history, (operations) => play(operations, { ...rules, ...rule })),
        { numRuns: 25, endOnFailure: true, seed },
      );
      expect(failed).toBe(true);
      // Failed by a comparison, not by another error.
      expect((errorInstance as Error).name).toBe('AssertionError');
    },
  );

  test('negative control: detects that a deleted edge would be part of a cycle', async () => {
    const play = createHistoryRunner(engine);
    await play(deletedEdge, rules);
    await expect(play(deletedEdge, { ...rules, countsForCycle: () => true })).rejects.toThrow('CYCLE_DETECTED');
  });
});
