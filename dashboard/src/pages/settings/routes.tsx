import type { PageRoute } from '../../page-route.ts';

export const settingsRoutes: readonly PageRoute[] = [
  { path: '/settings', load: () => import('./start.tsx') },
  { path: '/settings/keys', load: () => import('./keys.tsx') },
  { path: '/settings/connect', load: () => import('./connect.tsx') },
  { path: '/settings/connectors', load: () => import('./connectors.tsx') },
  { path: '/settings/metrics', load: () => import('./metrics.tsx') },
  { path: '/settings/tenants', load: () => import('./tenants.tsx') },
  { path: '/settings/backups', load: () => import('./backups.tsx') },
  { path: '/settings/jobs', load: () => import('./jobs.tsx') },
  { path: '/settings/values', load: () => import('./values.tsx') },
];
