import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalBody } from '#kernel/text/normalise.ts';

/** The body as it is stored and hashed (RULINGS R3). Off: untouched, as MCP_CANONICAL_DISABLE asks. */
export const canonicalise = (body: string, isOff: boolean): string => (isOff ? body : canonicalBody(body));

export const sourceHashOf = (canonical: string): string => sha256Hex(canonical);
