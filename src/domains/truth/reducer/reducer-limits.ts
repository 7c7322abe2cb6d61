/**
 * A merged array keeps its newest elements. Whoever is among them at the end was among them at every step that had heard of
 * it (the others only move up), so the bound does not depend on the order of arrival; the rest stays in the observations.
 */
export const reducerLimits = {
  arrayElementsCount: 1_000,
  /** While many observations are gathered an array may be longer, so that it is not sorted for each. */
  gatheredElementsCount: 2_000,
} as const;
