export const namespaceLimits = {
  listedCount: 10_000,
} as const;
