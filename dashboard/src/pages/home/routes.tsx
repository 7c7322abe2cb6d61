import type { PageRoute } from '../../page-route.ts';

export const homeRoutes: readonly PageRoute[] = [{ path: '/', load: () => import('./home.tsx') }];
