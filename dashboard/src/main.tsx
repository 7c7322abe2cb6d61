import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/kit.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ToolError } from './api/call.ts';
import { listenForShortcuts } from './kit/shortcuts.tsx';
import { applyTheme } from './kit/theme.ts';
import { createAppRouter } from './router.tsx';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content;

/** A refusal stays one; a server that is away for a moment comes back. */
const shouldRetry = (count: number, error: unknown): boolean =>
  error instanceof ToolError && (error.status === 0 || error.status === 503) && count < 10;

const client = new QueryClient({
  defaultOptions: { queries: { retry: shouldRetry, retryDelay: 1_000, staleTime: 5_000, refetchOnWindowFocus: false } },
});

applyTheme();
listenForShortcuts();
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <CSPProvider {...(nonce && { nonce })}>
      <QueryClientProvider client={client}>
        <RouterProvider router={createAppRouter(client)} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
