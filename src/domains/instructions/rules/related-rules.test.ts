import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countRelated, scoreMatches } from './related-rules.ts';

const match = (id: string, similarity: number | undefined, wordScore = 0, topicScore = 0) => ({
  id,
  similarity,
  wordScore,
  topicScore,
});

/** Thirty rules that have nothing to do with the task. */
const unrelated = Array.from({ length: 30 }, (_, i) => match(`u${i}`, 0.02 + (i % 7) / 100));
const shown = (...matches: readonly ReturnType<typeof match>[]) => {
  const scored = scoreMatches([...unrelated, ...matches], { rulesCount: 100, isCalibrated: true });
  return scored.slice(0, countRelated(scored, 5)).map(({ id }) => id);
};

describe('[IN50] rules that stand out', () => {
  it('shows a rule that is much more similar than the others, and nothing if none is', () => {
    expect(shown(match('near', 0.5))).toEqual(['near']);
    expect(shown()).toEqual([]);
  });

  it('does not depend on the scale of another model, but needs enough rules to know it', () => {
    const shift = (one: ReturnType<typeof match>) => ({ ...one, similarity: 0.7 + one.similarity! / 5 });
    const other = { rulesCount: 31, isCalibrated: false };
    const scored = scoreMatches([...unrelated, match('near', 0.5)].map(shift), other);
    expect(countRelated(scored, 5)).toBe(1);
    expect(scored[0]).toMatchObject({ id: 'near' });
    const few = scoreMatches([match('near', 0.9), match('far', 0.7)], other);
    expect(few.map(({ distinction }) => distinction)).toEqual([undefined, undefined]);
    expect(countRelated(few, 5)).toBe(0);
  });

  it('needs less similarity where words match, and better words where the similarity is unknown', () => {
    const faint = match('faint', 0.35);
    expect(shown(faint)).toEqual([]);
    expect(shown({ ...faint, wordScore: 12 })).toEqual(['faint']);
    expect(shown(match('unknown', undefined, 12))).toEqual([]);
    expect(shown(match('unknown', undefined, 50))).toEqual(['unknown']);
  });

  it('needs neither words nor similarity where the topics are the same', () => {
    expect(shown({ ...match('same', 0.05), topicScore: 0.2 })).toEqual([]);
    expect(shown({ ...match('same', 0.05), topicScore: 0.8 })).toEqual(['same']);
    expect(shown({ ...match('same', undefined), topicScore: 0.5 })).toEqual(['same']);
  });

  it('leaves out what is much worse than the best', () => {
    expect(shown(match('best', 0.6, 12), match('good', 0.59, 12), match('faint', 0.2, 12))).toEqual(['best', 'good']);
  });

  it('works for one rule and for none', () => {
    expect(countRelated(scoreMatches([], { rulesCount: 0, isCalibrated: true }), 5)).toBe(0);
    const scored = scoreMatches([match('only', 0.6)], { rulesCount: 1, isCalibrated: true });
    expect(countRelated(scored, 5)).toBe(1);
  });

  it('sorts by score and never shows more than allowed', () => {
    const similarity = fc.option(fc.double({ min: -1, max: 1, noNaN: true }), { nil: undefined });
    const matches = fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1 }),
        similarity,
        wordScore: fc.double({ min: 0, max: 1e6, noNaN: true }),
        topicScore: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(matches, fc.nat({ max: 9 }), fc.boolean(), (given, countMax, isCalibrated) => {
        const scored = scoreMatches(given, { rulesCount: given.length, isCalibrated });
        expect(scored).toHaveLength(given.length);
        for (const [i, { score }] of scored.entries()) {
          expect(Number.isFinite(score)).toBe(true);
          if (i > 0) expect(score).toBeLessThanOrEqual(scored[i - 1]!.score);
        }
        expect(countRelated(scored, countMax)).toBeLessThanOrEqual(Math.min(countMax, given.length));
      }),
    );
  });
});
