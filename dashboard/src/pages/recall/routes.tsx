import type { PageRoute } from '../../page-route.ts';

export const recallRoutes: readonly PageRoute[] = [
  { path: '/recall', load: () => import('./recall.tsx') },
  { path: '/recall/receipts', load: () => import('./receipts.tsx') },
  { path: '/recall/receipts/$receiptId', load: () => import('./receipt.tsx') },
  { path: '/recall/receipts/compare', load: () => import('./compare.tsx') },
];
