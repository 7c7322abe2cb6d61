/**
 * Statements of many rows come in few sizes: a store keeps a bounded number of texts prepared. Most payloads need one
 * statement, and those that speak of hundreds of entities need few.
 */
const sizes = [512, 64, 8] as const;

export function* piecesOf<T>(rows: readonly T[]): Generator<readonly T[]> {
  let at = 0;
  for (const size of sizes) {
    for (; rows.length - at >= size; at += size) yield rows.slice(at, at + size);
  }
  if (at < rows.length) yield at === 0 ? rows : rows.slice(at);
}
