import type { PageRoute } from '../../page-route.ts';

/** An optional last part keeps the list in place while another item is opened. */
export const instructionsRoutes: readonly PageRoute[] = [
  { path: '/instructions/{-$ruleId}', load: () => import('./rules-page.tsx') },
  { path: '/instructions/-/new', load: () => import('./new-rule-page.tsx') },
  { path: '/instructions/-/proposals/{-$proposalId}', load: () => import('./proposals-page.tsx') },
  { path: '/instructions/-/tester', load: () => import('./tester-page.tsx') },
  { path: '/instructions/-/import', load: () => import('./import-page.tsx') },
  { path: '/instructions/-/checks', load: () => import('./checks-page.tsx') },
  { path: '/instructions/-/archive', load: () => import('./archive-page.tsx') },
];
