import type { PageRoute } from '../../page-route.ts';

/** An optional last part keeps the list in place while another scratchpad is opened. */
export const notebooksRoutes: readonly PageRoute[] = [
  { path: '/notebooks/{-$scratchId}', load: () => import('./notebooks.tsx') },
  { path: '/notebooks/-/trash', load: () => import('./trash.tsx') },
];
