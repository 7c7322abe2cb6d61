import type { Observed } from '../observations/observation.ts';
import type { SchemaField, Strategy, TieBreaker } from '../schemas/entity-schema.ts';

/** The observation that a value is owed to, as far as it takes part in the order. */
export type Credit = Pick<Observed, 'id' | 'observedAt' | 'priority' | 'specificity' | 'isCorrection'>;

export const toCredit = ({ id, observedAt, priority, specificity, isCorrection }: Credit): Credit => ({
  id,
  observedAt,
  priority,
  specificity,
  isCorrection,
});

/** Negative: `a` comes before `b`. */
export type CompareCredits = (field: SchemaField, a: Credit, b: Credit) => number;

const weigh: Readonly<Record<TieBreaker, (credit: Credit) => number>> = {
  observed_at: (credit) => credit.observedAt,
  source_priority: (credit) => credit.priority,
  specificity_score: (credit) => credit.specificity,
};

const leads = {
  last_write: 'observed_at',
  highest_priority: 'source_priority',
  most_specific: 'specificity_score',
  merge_array: 'observed_at',
} as const satisfies Readonly<Record<Strategy, TieBreaker>>;

const larger = (by: TieBreaker, a: Credit, b: Credit): number => weigh[by](b) - weigh[by](a);

/** [TR12] [TR14] A total order: two observations never have one id. */
export const compareCredits: CompareCredits = (field, a, b) => {
  if (a.isCorrection !== b.isCorrection) return a.isCorrection ? -1 : 1;
  const lead = a.isCorrection ? 'observed_at' : leads[field.strategy ?? 'last_write'];
  return (
    larger(lead, a, b) ||
    (field.tie_breaker === undefined ? 0 : larger(field.tie_breaker, a, b)) ||
    larger('observed_at', a, b) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
};
