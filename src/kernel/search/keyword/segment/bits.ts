/** A set of document numbers, one bit each. Kept in the store as it is. */
export type Bits = Uint8Array;

export const createBits = (count: number): Bits => new Uint8Array((count + 7) >>> 3);
export const hasBit = (bits: Bits, at: number): boolean => (bits[at >>> 3]! & (1 << (at & 7))) !== 0;
export const setBit = (bits: Bits, at: number): void => {
  bits[at >>> 3]! |= 1 << (at & 7);
};
export const clearBit = (bits: Bits, at: number): void => {
  bits[at >>> 3]! &= ~(1 << (at & 7));
};

export function countBits(bits: Bits): number {
  let count = 0;
  for (const byte of bits) for (let rest = byte; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}
