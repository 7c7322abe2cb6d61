const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Where the string that begins at `at` ends: at its closing quote, or past the end when there is none. */
export function skipString(bytes: Uint8Array, at: number): number {
  const { length } = bytes;
  let end = at + 1;
  for (; end < length; end += 1) {
    const inside = bytes[end]!;
    if (inside === quote) break;
    if (inside === backslash) end += 1;
  }
  return end;
}

/**
 * Whether JSON text nests deeper than `maxDepth`, told from its bytes before anything is parsed: `JSON.parse` recurses, and
 * so does whatever walks its result. Says nothing about the text being JSON; that is the parser's business.
 */
export function scanJson(bytes: Uint8Array, maxDepth: number): 'ok' | 'too-deep' {
  const { length } = bytes;
  // Each level takes a byte to open.
  if (length <= maxDepth) return 'ok';
  let depth = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at]!;
    if (byte === quote) {
      at = skipString(bytes, at);
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > maxDepth) return 'too-deep';
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
    }
  }
  return 'ok';
}
