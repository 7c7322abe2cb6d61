import type { PageRoute } from '../../page-route.ts';

export const truthRoutes: readonly PageRoute[] = [
  { path: '/truth', load: () => import('./truth.tsx') },
  { path: '/truth/duplicates', load: () => import('./duplicates.tsx') },
  { path: '/truth/contradictions', load: () => import('./contradictions.tsx') },
  { path: '/truth/records', load: () => import('./records.tsx') },
  { path: '/truth/$entityId', load: () => import('./truth.tsx') },
];
