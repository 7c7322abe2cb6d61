/** Bounds of entities as resources. */
export const entityResourceLimits = {
  /** One page of resources; each item is small, its snapshot is read one by one. */
  listPageCount: 100,
  /** Entities that one question of a completion brings, and how many such questions it asks. */
  completionPageCount: 1_000,
  completionPagesCount: 5,
  completedCount: 100,
} as const;
