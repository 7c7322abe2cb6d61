import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { Navigate, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isSignedOut } from './api/call.ts';
import { CallerContext } from './api/caller.tsx';
import { followChanges, useLiveState } from './api/live.ts';
import { useTool } from './api/use-tool.ts';
import { CommandPalette } from './command-palette.tsx';
import { HelpSheet } from './help-sheet.tsx';
import { ErrorNote, Loading } from './kit/feedback.tsx';
import { useShortcuts } from './kit/shortcuts.tsx';
import { Toasts } from './kit/toast.tsx';
import { places, Rail } from './rail.tsx';

const focusFilter = () => document.querySelector<HTMLInputElement>('[data-filter]')?.focus();

function useGlobalKeys(open: (overlay: 'palette' | 'help') => void): void {
  const navigate = useNavigate();
  useShortcuts('Everywhere', {
    '?': { what: 'Show all keys', run: () => open('help') },
    '/': { what: 'Filter or search this page', run: focusFilter },
    ...Object.fromEntries(
      places.map(({ key, to, label }) => [`g ${key}`, { what: `Go to ${label}`, run: () => void navigate({ to }) }]),
    ),
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      open('palette');
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [open]);
}

const OfflineBanner = () =>
  useLiveState() === 'offline' && (
    <div className="banner" role="status">
      The connection to the server is lost. What you see may be old; this page reconnects by itself.
    </div>
  );

/** Everything around a page: navigation, palette, help, messages and the live connection. */
export function AppShell({ client }: { readonly client: QueryClient }) {
  const caller = useTool('caller_show', {}, { isLive: false });
  const [overlay, setOverlay] = useState<'palette' | 'help'>();
  useGlobalKeys(setOverlay);
  const isKnown = caller.data !== undefined;
  useEffect(() => (isKnown ? followChanges(client) : undefined), [client, isKnown]);
  useSignedOutRedirect();
  if (isSignedOut(caller.error)) {
    const from = location.pathname + location.search;
    return <Navigate to="/sign-in" search={{ from }} replace />;
  }
  if (caller.data === undefined) {
    return caller.error ? <ErrorNote error={caller.error} onRetry={() => void caller.refetch()} /> : <Loading />;
  }
  return (
    <CallerContext value={caller.data}>
      <div className="app">
        <Rail onSearch={() => setOverlay('palette')} onHelp={() => setOverlay('help')} />
        <main className="main">
          <OfflineBanner />
          <Outlet />
          <Toasts />
        </main>
      </div>
      {overlay === 'palette' && (
        <CommandPalette onClose={() => setOverlay(undefined)} onHelp={() => setOverlay('help')} />
      )}
      {overlay === 'help' && <HelpSheet onClose={() => setOverlay(undefined)} />}
    </CallerContext>
  );
}

/** A session can end while a page is open: it was revoked, or it expired. */
function useSignedOutRedirect(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      client.getQueryCache().subscribe(({ query }) => {
        const [, tool] = query.queryKey as readonly unknown[];
        if (isSignedOut(query.state.error) && tool !== 'caller_show')
          void client.resetQueries({ queryKey: ['tool', 'caller_show'] });
      }),
    [client],
  );
}
