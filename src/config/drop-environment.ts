/**
 * For threads that run third-party parsers. Even an empty environment costs a call out of the engine per lookup; the
 * YAML parser does that at every token and spends a fifth of its time on it.
 */
export function dropEnvironment(): void {
  process.env = {};
}
