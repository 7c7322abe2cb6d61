/**
 * Documented variables for the tests and handshakes of the original. Accepted; `doctor` reports that they have no
 * effect.
 */
export const ignoredVariables: readonly string[] = [
  'DIST_WAIT_*',
  'EXTEND_DIST_WAIT',
  'MCP_*HANDSHAKE*',
  'MCP_DISABLE_EARLY_STDIN_BUFFER',
  'MCP_DISABLE_INIT_SNIFF',
  'MCP_FORCE_REBUILD',
  'MCP_HEALTH_MIXED_DIAG',
  'MCP_INIT_*',
  'MCP_SHARED_SERVER_SENTINEL',
  'MCP_USAGE_FLUSH_MS',
  'MULTICLIENT_TRACE',
  'SKIP_PROD_DEPLOY',
];

/** Matches the parts between the stars in order, the first at the start and the last at the end. */
function matches(pattern: string, name: string): boolean {
  const pieces = pattern.split('*');
  const last = pieces.at(-1)!;
  if (pieces.length === 1) return name === pattern;
  let at = 0;
  for (const [index, piece] of pieces.slice(0, -1).entries()) {
    const found = name.indexOf(piece, at);
    if (found === -1 || (index === 0 && found !== 0)) return false;
    at = found + piece.length;
  }
  return name.length - last.length >= at && name.endsWith(last);
}

export const findIgnoredVariables = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.keys(env)
    .filter((name) => ignoredVariables.some((pattern) => matches(pattern, name)))
    .sort();
