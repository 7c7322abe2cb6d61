export const capabilityLimits = {
  /** Of one tenant, beside the built-in ones: all of them fit into one answer. */
  registeredCount: 500,
} as const;
