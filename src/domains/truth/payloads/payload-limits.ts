export const payloadLimits = {
  capabilityIdChars: 200,
  extractorVersionChars: 200,
  agentIdChars: 200,
  clientRequestIdChars: 200,
  sourceRefChars: 200,
  sourceRefsCount: 1_000,
  fileUrlsCount: 1_000,
} as const;
