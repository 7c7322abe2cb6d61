import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '#kernel/fault/fault.ts';
import { choosePeriod, edgePhases, type Period, periodAt, planPeriods, showPeriods } from './periods.ts';

function codeOfFault(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
  return undefined;
}

const month = (n: number): number => Date.UTC(2026, n - 1, 1);
const period = (from: number, until: number | null = null, metadata: string | null = null): Period => ({
  ...{ effective_at: month(from), effective_until: until === null ? null : month(until) },
  ...{ at_chars: 7, until_chars: until === null ? 0 : 7, metadata },
});
const source = { source_kind: 'call', source_id: null, submission_id: null };
const now = month(6);
const stated = (from?: number, until?: number) => ({
  ...(from !== undefined && { at: month(from), atChars: 7 }),
  ...(until !== undefined && { until: month(until), untilChars: 7 }),
});

describe('planning statements', () => {
  test('[TR72] a first statement without times holds from now on', () => {
    expect(planPeriods([], {}, undefined, now)).toEqual([
      { effective_at: now, effective_until: null, at_chars: 0, until_chars: 0, metadata: null },
    ]);
  });

  test('[TR73] a statement without times adds nothing to an edge that holds, and a period to one that has ended', () => {
    expect(planPeriods([period(1)], {}, undefined, now)).toEqual([]);
    expect(planPeriods([period(1, 5)], {}, undefined, now)).toMatchObject([{ effective_at: now, at_chars: 0 }]);
    expect(planPeriods([period(7)], {}, undefined, now)).toMatchObject([{ effective_at: now }]);
  });

  test('[TR73] a caller may give another default start, which changes nothing if the edge holds then', () => {
    expect(planPeriods([], { otherwise: month(2) }, undefined, now)).toMatchObject([
      { effective_at: month(2), at_chars: 0 },
    ]);
    expect(planPeriods([period(1, 3)], { otherwise: month(2) }, undefined, now)).toEqual([]);
    expect(planPeriods([], { at: month(2) }, undefined, now)).toMatchObject([{ effective_at: month(2), at_chars: 24 }]);
  });

  test('[TR73] other metadata start now and end with the period', () => {
    expect(planPeriods([period(1, 9, '{"a":1}')], {}, '{"a":2}', now)).toEqual([
      { ...period(1, 9, '{"a":2}'), effective_at: now, at_chars: 0 },
    ]);
    expect(planPeriods([period(1, 9, '{"a":1}')], {}, '{"a":1}', now)).toEqual([]);
  });

  test('[TR73] only an end closes every period that is open then', () => {
    expect(planPeriods([period(1)], stated(undefined, 5), undefined, now)).toEqual([period(1, 5)]);
    expect(planPeriods([period(1), period(3), period(1, 2)], stated(undefined, 5), undefined, now)).toEqual([
      period(1, 5),
      period(3, 5),
    ]);
    expect(planPeriods([period(1, 9, '{}')], stated(undefined, 5), undefined, now)).toEqual([period(1, 5, '{}')]);
    expect(planPeriods([period(1, 5)], stated(undefined, 5), undefined, now)).toEqual([]);
  });

  test('[TR73] an end that nothing can be closed with is an error unless it is in the future', () => {
    expect(codeOfFault(() => planPeriods([], stated(undefined, 5), undefined, now))).toBe('VALIDATION_ERROR');
    expect(codeOfFault(() => planPeriods([period(1, 4)], stated(undefined, 5), undefined, now))).toBe(
      'VALIDATION_ERROR',
    );
    expect(planPeriods([], stated(undefined, 8), undefined, now)).toMatchObject([
      { effective_at: now, effective_until: month(8) },
    ]);
  });

  test('[TR72] an end at or before the start is an error', () => {
    for (const until of [1, 2]) {
      expect(codeOfFault(() => planPeriods([], stated(2, until), undefined, now))).toBe('VALIDATION_ERROR');
    }
  });

  test('[TR73] the same start replaces, and another one adds', () => {
    expect(planPeriods([period(1, 5)], stated(1, 5), undefined, now)).toEqual([]);
    expect(planPeriods([period(1, 5)], stated(1, 6), undefined, now)).toEqual([period(1, 6)]);
    expect(planPeriods([period(1, 5)], stated(1), undefined, now)).toEqual([period(1)]);
    expect(planPeriods([period(1, 3, '{"a":1}')], stated(1, 5), undefined, now)).toEqual([period(1, 5, '{"a":1}')]);
    expect(planPeriods([period(1, 3, '{"a":1}')], stated(4), undefined, now)).toEqual([period(4)]);
    expect(planPeriods([period(1, null, '{"a":1}')], stated(4), undefined, now)).toEqual([period(4, null, '{"a":1}')]);
  });
});

describe('the shown period', () => {
  const show = (periods: readonly Period[], at = now, isDeleted = false) =>
    showPeriods(
      periods.map((one) => ({ ...one, ...source })),
      isDeleted,
      at,
    );

  test('is that of now, else the next one, else the last one', () => {
    const all = [period(1, 2), period(4, 5), period(8)];
    expect(show(all, month(1))).toMatchObject({ effective_at: month(1), phase: edgePhases.live });
    expect(show(all, month(3))).toMatchObject({ effective_at: month(4), phase: edgePhases.live });
    expect(show(all, month(6))).toMatchObject({ effective_at: month(8), phase: edgePhases.live });
    expect(show(all.slice(0, 2), month(6))).toMatchObject({ effective_at: month(4), phase: edgePhases.ended });
    expect(show(all, month(1), true)).toMatchObject({ phase: edgePhases.deleted, next_change_at: null });
  });

  const periods = fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 11 }), fc.option(fc.integer({ min: 1, max: 12 }))), {
      minLength: 1,
      maxLength: 5,
      selector: ([from]) => from,
    })
    .map((all) => all.map(([from, length]) => period(from, length === null ? null : from + length)));

  test('[TR75] is right until its next change', () => {
    fc.assert(
      fc.property(periods, fc.integer({ min: 0, max: 24 }), fc.integer({ min: 0, max: 24 }), (all, written, later) => {
        const [at, asked] = [month(Math.min(written, later)), month(Math.max(written, later))];
        const row = show(all, at);
        const isKnown = row.next_change_at === null || row.next_change_at > asked;
        const expected = periodAt(all, asked);
        if (!isKnown) return;
        const holds = row.phase === edgePhases.live && row.effective_at <= asked;
        expect(holds).toBe(expected !== undefined);
        if (expected !== undefined) expect(row).toMatchObject(expected);
        if (row.phase === edgePhases.ended) expect(all.some((one) => one.effective_at > at)).toBe(false);
      }),
    );
  });

  test('an edge without a period is a bug', () => {
    expect(() => choosePeriod([], now)).toThrow('bug');
  });
});
