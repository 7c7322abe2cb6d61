/** The sizes of all-MiniLM-L6-v2. */
export const shape = { width: 384, heads: 12, inner: 1_536, layers: 6, words: 30_522, rowsMax: 256 } as const;
