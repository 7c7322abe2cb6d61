/** Next to this module in the source, next to its chunk in the bundle. */
export const poolEntry = new URL(
  import.meta.url.endsWith('.ts') ? './pool.worker.ts' : './pool.worker.js',
  import.meta.url,
);
