const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

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
 * Whether JSON text nests deeper than `maxDepth` or has an object with more than `maxMembers` members. Measured before
 * parsing: `JSON.parse` and users of its result recurse, and merely listing the keys of a huge object blocks for longer
 * than anything else in a call. Does not check that the text is JSON.
 */
export function scanJson(
  bytes: Uint8Array,
  maxDepth: number,
  maxMembers = Number.POSITIVE_INFINITY,
): 'ok' | 'too-deep' | 'too-many' {
  const { length } = bytes;
  // Each level takes a byte to open.
  if (length <= maxDepth) return 'ok';
  const memberCounts = new Float64Array(maxDepth + 1);
  let depth = 0;
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at]!;
    if (byte === quote) {
      at = skipString(bytes, at);
    } else if (byte === colon) {
      // Outside strings, colons are only between the keys and values of objects.
      memberCounts[depth]! += 1;
      if (memberCounts[depth]! > maxMembers) return 'too-many';
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > maxDepth) return 'too-deep';
      memberCounts[depth] = 0;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
    }
  }
  return 'ok';
}
