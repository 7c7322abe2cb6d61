/** Beside this module in the source, beside the chunk that holds it in the bundle. */
export const poolEntry = new URL(
  import.meta.url.endsWith('.ts') ? './pool.worker.ts' : './pool.worker.js',
  import.meta.url,
);
