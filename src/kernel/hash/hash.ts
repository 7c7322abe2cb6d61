import { createHmac, hash } from 'node:crypto';

/** One-shot hashing: `crypto.hash` costs under a microsecond where `createHash` costs several. */
export const sha256Hex = (text: string | Uint8Array): string => hash('sha256', text, 'hex');

export const hmacHex = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text).digest('hex');
