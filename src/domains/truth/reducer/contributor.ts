import type { Observation } from '../observations/observation.ts';
import type { SchemaField, Strategy, TieBreaker } from '../schemas/entity-schema.ts';

/** The parts of an observation that decide which one wins. */
export type Contributor = Pick<
  Observation,
  | 'id'
  | 'effectiveAt'
  | 'observedAt'
  | 'recordedAt'
  | 'priority'
  | 'specificity'
  | 'isCorrection'
  | 'isUntilNewer'
  | 'origin'
>;

export const toContributor = (one: Contributor): Contributor => ({
  id: one.id,
  effectiveAt: one.effectiveAt,
  observedAt: one.observedAt,
  recordedAt: one.recordedAt,
  priority: one.priority,
  specificity: one.specificity,
  isCorrection: one.isCorrection,
  isUntilNewer: one.isUntilNewer,
  origin: one.origin,
});

/** Negative if `a` comes first. */
export type CompareContributors = (field: SchemaField, a: Contributor, b: Contributor) => number;

type Weight = (contributor: Contributor) => number;

const effectiveAt: Weight = (contributor) => contributor.effectiveAt;
const observedAt: Weight = (contributor) => contributor.observedAt;
const recordedAt: Weight = (contributor) => contributor.recordedAt;
const specificity: Weight = (contributor) => contributor.specificity;
const priority: Weight = (contributor) => contributor.priority;

const tieBreakers: Readonly<Record<TieBreaker, Weight>> = {
  observed_at: observedAt,
  source_priority: priority,
  specificity_score: specificity,
};

const leads: Readonly<Record<Strategy, Weight>> = {
  last_write: effectiveAt,
  highest_priority: priority,
  most_specific: specificity,
  merge_array: effectiveAt,
};

const larger = (weight: Weight, a: Contributor, b: Contributor): number => weight(b) - weight(a);

const newer = (a: Contributor, b: Contributor): number =>
  larger(effectiveAt, a, b) || larger(observedAt, a, b) || larger(recordedAt, a, b);

/** [TR12] [TR14] A total order, because ids are unique. */
export const compareContributors: CompareContributors = (field, a, b) => {
  if (a.isCorrection !== b.isCorrection) return a.isCorrection ? -1 : 1;
  const { tie_breaker, strategy = 'last_write' } = field;
  // A correction that fixes the past also wins over an earlier one that begins later.
  const byPolicy = a.isCorrection
    ? larger(observedAt, a, b) || larger(recordedAt, a, b)
    : larger(leads[strategy], a, b) || (tie_breaker === undefined ? 0 : larger(tieBreakers[tie_breaker], a, b));
  return (
    byPolicy ||
    newer(a, b) ||
    // Of two documents of one time, the more specific one; otherwise the order is arbitrary but fixed.
    (tie_breaker === undefined || a.isCorrection ? 0 : larger(specificity, a, b)) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
};

/** A correction that gives way does so for what was recorded after it and is effective after it. */
export const isNewerThan = (one: Contributor, correction: Contributor): boolean =>
  !one.isCorrection && one.recordedAt > correction.recordedAt && one.effectiveAt > correction.effectiveAt;
