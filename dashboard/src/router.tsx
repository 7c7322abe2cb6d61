import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  Link,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { ToolError } from './api/call.ts';
import { AppShell } from './app-shell.tsx';
import { Empty, ErrorNote } from './kit/feedback.tsx';
import { Page } from './kit/page.tsx';
import { sayError } from './kit/toast.tsx';
import type { PageRoute } from './page-route.ts';
import { auditRoutes } from './pages/audit/routes.tsx';
import { homeRoutes } from './pages/home/routes.tsx';
import { instructionsRoutes } from './pages/instructions/routes.tsx';
import { knowledgeRoutes } from './pages/knowledge/routes.tsx';
import { notebooksRoutes } from './pages/notebooks/routes.tsx';
import { recallRoutes } from './pages/recall/routes.tsx';
import { settingsRoutes } from './pages/settings/routes.tsx';
import { SignIn } from './pages/sign-in/sign-in.tsx';
import { truthRoutes } from './pages/truth/routes.tsx';

const pages: readonly PageRoute[] = [
  ...homeRoutes,
  ...instructionsRoutes,
  ...knowledgeRoutes,
  ...notebooksRoutes,
  ...truthRoutes,
  ...recallRoutes,
  ...auditRoutes,
  ...settingsRoutes,
];

const NotFound = () => (
  <Page title="Not found">
    <Empty title="Nothing is at this address.">
      <Link to="/">Go to the start page</Link>
    </Empty>
  </Page>
);

/** The code of a page did not come: the server is away, or it runs another version by now. */
class PageNotLoaded extends ToolError {
  constructor() {
    super(0, 'This page could not be loaded.', {
      fix: 'Try again when the server answers. This reloads the dashboard.',
    });
  }
}

const loadedWith =
  (load: PageRoute['load']): PageRoute['load'] =>
  async () => {
    try {
      return await load();
    } catch {
      throw new PageNotLoaded();
    }
  };

/** A browser remembers that a file did not come, so only a new load of everything helps, once there is an answer. */
const reload = (): void => void fetch('/healthz').then(() => location.reload(), sayError);

const Failed = ({ error, reset }: ErrorComponentProps) => (
  <Page title="Failed">
    <ErrorNote error={error} onRetry={error instanceof PageNotLoaded ? reload : reset} />
  </Page>
);

/** Values of the address are texts, exactly as they were written: `?at=2026` is not a number. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
const stringifySearch = (search: Record<string, unknown>): string => {
  const text = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
};

export function createAppRouter(client: QueryClient) {
  const root = createRootRoute({ component: Outlet });
  const shell = createRoute({
    getParentRoute: () => root,
    id: 'shell',
    component: () => <AppShell client={client} />,
  });
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/sign-in', component: SignIn }),
    shell.addChildren([
      ...pages.map(({ path, load }) =>
        createRoute({ getParentRoute: () => shell, path, component: lazyRouteComponent(loadedWith(load), 'Page') }),
      ),
      createRoute({ getParentRoute: () => shell, path: '$', component: NotFound }),
    ]),
  ]);
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultErrorComponent: Failed,
  });
}
