import { isUtf8 } from 'node:buffer';
import { skipString } from './scan.ts';

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const outerLimits = {
  /** Longer names and values are skipped. */
  partBytes: 1024,
  /** Later members are not read: a message has a few. */
  membersCount: 100,
} as const;

function parsePart(bytes: Buffer): unknown {
  if (bytes.length > outerLimits.partBytes || !isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads short members of the outermost object of a JSON text that is too deep, too large or too broken to parse. Nested values are
 * skipped by counting brackets. The last of two members with one name counts, as in the parser.
 */
export function readOuterMembers(bytes: Buffer, names: readonly string[]): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  let depth = 0;
  let from = 0;
  let colonAt = -1;
  let members = 0;

  function take(to: number): void {
    if (colonAt === -1) return;
    const name = parsePart(bytes.subarray(from, colonAt));
    if (typeof name === 'string' && names.includes(name)) found.set(name, parsePart(bytes.subarray(colonAt + 1, to)));
  }

  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (byte === quote) at = skipString(bytes, at);
    else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      if (depth > 1) continue;
      if (byte !== openBrace) return found;
      from = at + 1;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth > 0) continue;
      take(at);
      return found;
    } else if (depth === 1 && byte === colon) colonAt = at;
    else if (depth === 1 && byte === comma) {
      take(at);
      members += 1;
      if (members > outerLimits.membersCount) return found;
      from = at + 1;
      colonAt = -1;
    }
  }
  return found;
}
