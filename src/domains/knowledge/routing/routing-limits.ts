/** Every bound of routing, unit last. */
export const routingLimits = {
  /** A tool that takes longer is stopped, unless the router was made with another time. */
  timeoutMs: 30_000,
} as const;
