import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instructionEntry, requirements } from '../entry-model.ts';
import { canonicalise, reviewDaysOf, riskOf, sourceHashOf, summaryOf, tierOf } from './derived-fields.ts';
import { anyBody } from './entries.fixture.ts';

describe('derived fields', () => {
  it.each([
    [1, 'optional', 'P1'],
    [20, 'optional', 'P1'],
    [21, 'optional', 'P2'],
    [40, 'recommended', 'P2'],
    [41, 'optional', 'P3'],
    [70, 'deprecated', 'P3'],
    [71, 'optional', 'P4'],
    [100, 'mandatory', 'P1'],
    [100, 'critical', 'P1'],
  ] as const)('[IN27] priority %i and %s give %s', (priority, requirement, tier) => {
    expect(tierOf(priority, requirement)).toBe(tier);
  });

  it('reviews are due every 30, 60, 90 or 120 days by tier', () => {
    expect((['P1', 'P2', 'P3', 'P4'] as const).map(reviewDaysOf)).toEqual([30, 60, 90, 120]);
  });

  it('computes the risk from priority and requirement', () => {
    expect(requirements.map((requirement) => riskOf(40, requirement))).toEqual([110, 120, 80, 65, 30]);
  });

  it('never lowers the tier when the priority rises', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.constantFrom(...requirements), (priority, requirement) => {
        expect(tierOf(priority, requirement) <= tierOf(priority + 1, requirement)).toBe(true);
        expect(riskOf(priority, requirement)).toBe(riskOf(priority + 1, requirement) + 1);
      }),
    );
  });

  it('summary is one trimmed, well-formed line of limited length', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const summary = summaryOf(body);
        expect(summary).not.toMatch(/[\n\r\u2028\u2029]/);
        expect(summary).toBe(summary.trim());
        expect(summary.length).toBeLessThanOrEqual(160);
        expect(summary.isWellFormed()).toBe(true);
        expect(instructionEntry.shape.semanticSummary.safeParse(summary).success).toBe(true);
      }),
    );
    expect(summaryOf('\n\n  # Title  \nmore')).toBe('# Title');
    expect(summaryOf(`${'a'.repeat(159)}😀`)).toBe('a'.repeat(159));
  });

  it('canonical bodies are stable', () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        const once = canonicalise(body, false);
        expect(canonicalise(once, false)).toBe(once);
        expect(sourceHashOf(canonicalise(once, false))).toBe(sourceHashOf(once));
        expect(canonicalise(body.replaceAll('\n', '\r\n').replaceAll('\r\r\n', '\r\n'), false)).toBe(once);
        expect(canonicalise(body, true)).toBe(body);
      }),
    );
  });
});
