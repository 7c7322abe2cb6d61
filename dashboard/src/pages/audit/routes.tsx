import type { PageRoute } from '../../page-route.ts';

export const auditRoutes: readonly PageRoute[] = [{ path: '/audit', load: () => import('./audit.tsx') }];
