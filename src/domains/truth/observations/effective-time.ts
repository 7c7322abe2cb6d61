import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { readTime, showTime, timeField } from '../iso-time.ts';
import type { StatedPeriod } from './observation.ts';

/** Arguments of every tool that states something. */
export const effectiveFields = {
  effective_at: timeField.optional().describe('Since when: 2026-05'),
  effective_until: timeField.optional(),
};
export const effectiveInput = z.strictObject(effectiveFields);
export type EffectiveInput = z.infer<typeof effectiveInput>;

/** A period whose start may have to be filled in when it is recorded. */
export type GivenPeriod = Omit<StatedPeriod, 'effectiveAt'> & { readonly effectiveAt?: number | undefined };

const momentChars = 24;
const precisionOf = (chars: number): number | undefined => (chars < momentChars ? chars : undefined);

const refuseEnd = () =>
  faults.VALIDATION_ERROR(
    { why: 'effective_until is not after effective_at: a fact ends after it begins' },
    { field: 'effective_until' },
  );

export function readPeriod({ effective_at, effective_until }: EffectiveInput): GivenPeriod {
  const at = effective_at === undefined ? undefined : readTime(effective_at, 'effective_at');
  const until = effective_until === undefined ? undefined : readTime(effective_until, 'effective_until');
  if (at !== undefined && until !== undefined && until.from <= at.from) throw refuseEnd();
  return {
    effectiveAt: at?.from,
    effectiveUntil: until?.from ?? null,
    atChars: at === undefined ? undefined : precisionOf(at.chars),
    untilChars: until === undefined ? undefined : precisionOf(until.chars),
  };
}

/** `otherwise` is the start if none was given. */
export function completePeriod(given: GivenPeriod, otherwise: number): StatedPeriod {
  const effectiveAt = given.effectiveAt ?? otherwise;
  if (given.effectiveUntil !== null && given.effectiveUntil <= effectiveAt) throw refuseEnd();
  return { ...given, effectiveAt };
}

/** As JSON, to compare two submissions. */
export const printPeriod = ({ effectiveAt, effectiveUntil, atChars, untilChars }: GivenPeriod): string =>
  JSON.stringify({
    ...(effectiveAt === undefined ? {} : { at: showTime(effectiveAt, atChars) }),
    ...(effectiveUntil === null ? {} : { until: showTime(effectiveUntil, untilChars) }),
  });
