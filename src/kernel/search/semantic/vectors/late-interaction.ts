import { signBytes } from '../../../embed/token-signs.ts';
import { searchLimits } from '../../search-limits.ts';

const byteValues = 256;

/** The rows of the tokens with the largest weights; the length of a row is its weight. */
function heaviestRows(tokens: Float32Array, width: number): readonly Float32Array[] {
  const rows = Array.from({ length: tokens.length / width }, (_, i) => tokens.subarray(i * width, (i + 1) * width));
  if (rows.length <= searchLimits.queryTokensCount) return rows;
  return rows
    .map((row) => ({ row, weight: Math.hypot(...row) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, searchLimits.queryTokensCount)
    .map(({ row }) => row);
}

/** For each byte of a token and each of its values, the sum of the row's numbers with the signs of that byte. */
function tabulate(row: Float32Array): Float32Array {
  const bytes = signBytes(row.length);
  const table = new Float32Array(bytes * byteValues);
  for (let byte = 0; byte < bytes; byte += 1) {
    const at = byte * byteValues;
    for (let bit = 0; bit < 8; bit += 1) table[at]! -= row[byte * 8 + bit] ?? 0;
    for (let value = 1; value < byteValues; value += 1) {
      // The sum for the value without its highest bit is already known.
      const bit = 31 - Math.clz32(value);
      table[at + value] = table[at + value - (1 << bit)]! + 2 * (row[byte * 8 + bit] ?? 0);
    }
  }
  return table;
}

/**
 * Late interaction: each token of the query counts with the most similar token of the document. Only the signs of the
 * document's numbers are known; from 0 to 1 for rows with weights that add up to 1, if they agree at all.
 */
export function createTokenComparison(tokens: Float32Array, width: number): (signs: Uint8Array) => number {
  const tables = heaviestRows(tokens, width).map(tabulate);
  const rowBytes = signBytes(width);
  const factor = 1 / Math.sqrt(width);
  return (signs) => {
    let sum = 0;
    for (const table of tables) {
      let most = Number.NEGATIVE_INFINITY;
      for (let at = 0; at + rowBytes <= signs.length; at += rowBytes) {
        let product = 0;
        for (let byte = 0; byte < rowBytes; byte += 1) product += table[byte * byteValues + signs[at + byte]!]!;
        if (product > most) most = product;
      }
      sum += most;
    }
    return sum * factor;
  };
}
