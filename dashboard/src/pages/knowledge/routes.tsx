import type { PageRoute } from '../../page-route.ts';

export const knowledgeRoutes: readonly PageRoute[] = [
  { path: '/knowledge', load: () => import('./libraries.tsx') },
  { path: '/knowledge/-/search', load: () => import('./search.tsx') },
  { path: '/knowledge/$library', load: () => import('./library.tsx') },
];
