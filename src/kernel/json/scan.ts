const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;

/** The end of the string that begins at `at`: its closing quote, or past the end if there is none. */
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
 * Whether JSON text nests deeper than `maxDepth` or has more than `maxValues` values, measured before parsing, because
 * `JSON.parse` and users of its result recurse and visit each value. Does not check that the text is JSON.
 */
export function scanJson(
  bytes: Uint8Array,
  maxDepth: number,
  maxValues = Number.POSITIVE_INFINITY,
): 'ok' | 'too-deep' | 'too-many' {
  const { length } = bytes;
  // Each level takes a byte to open, and each value one byte.
  if (length <= maxDepth && length <= maxValues) return 'ok';
  let depth = 0;
  // A value follows each opening bracket and each comma.
  let values = 1;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at]!;
    if (byte === quote) {
      at = skipString(bytes, at);
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return 'too-deep';
      if (values > maxValues) return 'too-many';
    } else if (byte === comma) {
      values += 1;
      if (values > maxValues) return 'too-many';
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
    }
  }
  return 'ok';
}
