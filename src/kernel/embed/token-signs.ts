/** Bytes of one token. */
export const signBytes = (width: number): number => Math.ceil(width / 8);

/** One bit per number, set if it is not negative, the lowest bit first; each row starts with a new byte. */
export function packSigns(rows: Float32Array, width: number): Uint8Array {
  const rowBytes = signBytes(width);
  const count = rows.length / width;
  const packed = new Uint8Array(count * rowBytes);
  for (let row = 0; row < count; row += 1) {
    for (let k = 0; k < width; k += 1) {
      if (rows[row * width + k]! >= 0) packed[row * rowBytes + (k >> 3)]! |= 1 << (k & 7);
    }
  }
  return packed;
}
