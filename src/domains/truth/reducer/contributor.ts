import type { Observation } from '../observations/observation.ts';
import type { SchemaField, Strategy, TieBreaker } from '../schemas/entity-schema.ts';

/** The parts of an observation that decide which one wins. */
export type Contributor = Pick<Observation, 'id' | 'observedAt' | 'priority' | 'specificity' | 'isCorrection'>;

export const toContributor = ({ id, observedAt, priority, specificity, isCorrection }: Contributor): Contributor => ({
  id,
  observedAt,
  priority,
  specificity,
  isCorrection,
});

/** Negative if `a` comes first. */
export type CompareContributors = (field: SchemaField, a: Contributor, b: Contributor) => number;

const weights: Readonly<Record<TieBreaker, (contributor: Contributor) => number>> = {
  observed_at: (contributor) => contributor.observedAt,
  source_priority: (contributor) => contributor.priority,
  specificity_score: (contributor) => contributor.specificity,
};

const leads = {
  last_write: 'observed_at',
  highest_priority: 'source_priority',
  most_specific: 'specificity_score',
  merge_array: 'observed_at',
} as const satisfies Readonly<Record<Strategy, TieBreaker>>;

const larger = (by: TieBreaker, a: Contributor, b: Contributor): number => weights[by](b) - weights[by](a);

/** [TR12] [TR14] A total order, because ids are unique. */
export const compareContributors: CompareContributors = (field, a, b) => {
  if (a.isCorrection !== b.isCorrection) return a.isCorrection ? -1 : 1;
  const lead = a.isCorrection ? 'observed_at' : leads[field.strategy ?? 'last_write'];
  return (
    larger(lead, a, b) ||
    (field.tie_breaker === undefined ? 0 : larger(field.tie_breaker, a, b)) ||
    larger('observed_at', a, b) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
};
