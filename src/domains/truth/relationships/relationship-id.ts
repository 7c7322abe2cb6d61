import { sha256Hex } from '#kernel/hash/hash.ts';

const separator = '\u001f';

/** The same in any store: a UUID of version 8 (RFC 9562) from a hash. */
export function uuidOf(...parts: readonly string[]): string {
  const hex = sha256Hex(parts.join(separator));
  const variant = (0x8 | (Number.parseInt(hex.slice(16, 17), 16) & 0x3)).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

export const relationshipIdOf = (type: string, sourceId: string, targetId: string): string =>
  uuidOf(type, sourceId, targetId);
