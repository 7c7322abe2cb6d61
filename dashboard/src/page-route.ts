import type { ComponentType } from 'react';

/** One address of the dashboard. Its code is loaded when it is first opened, or when a link to it is pointed at. */
export interface PageRoute {
  /** `/truth/$entityId`; the page reads parameters with `useParams({ strict: false })`. */
  readonly path: string;
  readonly load: () => Promise<{ readonly Page: ComponentType }>;
}
