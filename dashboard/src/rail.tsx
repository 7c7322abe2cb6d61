import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useCaller } from './api/caller.tsx';
import { useTool } from './api/use-tool.ts';
import { signOut } from './app-shell.tsx';
import { applyTheme, currentTheme, nextTheme } from './kit/theme.ts';
import { sayError } from './kit/toast.tsx';

const icon = (path: string): ReactNode => (
  <svg viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.5" aria-hidden="true">
    <path d={path} strokeLinecap="round" strokeLinejoin="round" />
  </svg>
);

/** The places of the dashboard, with the key after `g`. */
export const places = [
  { to: '/', label: 'Home', key: 'h', icon: icon('M3 9l7-6 7 6v8h-5v-5H8v5H3z') },
  { to: '/instructions', label: 'Rules', key: 'i', icon: icon('M5 3h10v14H5zM8 7h4M8 10h4M8 13h2') },
  {
    to: '/knowledge',
    label: 'Docs',
    key: 'k',
    icon: icon('M4 4h5a2 2 0 011 1v12a2 2 0 00-1-1H4zM16 4h-5a2 2 0 00-1 1v12a2 2 0 011-1h5z'),
  },
  { to: '/notebooks', label: 'Notes', key: 'n', icon: icon('M6 3h10v14H6zM4 6h2M4 10h2M4 14h2M9 7h4M9 10h4') },
  {
    to: '/truth',
    label: 'Truth',
    key: 't',
    icon: icon('M5 6a2 2 0 100-.1M15 6a2 2 0 100-.1M10 15a2 2 0 100-.1M6.5 7.2L9 13M13.5 7.2L11 13M7 6h6'),
  },
  { to: '/recall', label: 'Recall', key: 'r', icon: icon('M9 15A6 6 0 109 3a6 6 0 000 12zM13.5 13.5L17 17') },
  { to: '/audit', label: 'Audit', key: 'a', icon: icon('M10 2l6 3v5c0 4-3 6-6 8-3-2-6-4-6-8V5zM7.5 10l2 2 3.5-4') },
  {
    to: '/settings',
    label: 'Settings',
    key: 's',
    icon: icon('M4 6h7M15 6h1M4 14h1M9 14h7M13 6a2 2 0 10-4 0M7 14a2 2 0 10-4 0'),
  },
] as const;

const isActive = (path: string, to: string): boolean =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);

/** What waits for a person, per memory. It is asked rarely: the start page shows it live. */
function useWaiting(): ReadonlyMap<string, number> {
  const { data } = useTool('overview', {}, { isLive: false });
  const waiting = new Map<string, number>();
  for (const { memory, severity, count } of data?.attention ?? [])
    if (severity === 'decision') waiting.set(`/${memory}`, (waiting.get(`/${memory}`) ?? 0) + count);
  return waiting;
}

interface RailProps {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

export function Rail({ onSearch, onHelp }: RailProps) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const { name, tenant, server } = useCaller();
  const waiting = useWaiting();
  const [theme, setTheme] = useState(currentTheme);
  const client = useQueryClient();
  const navigate = useNavigate();
  function leave() {
    signOut(client).then(() => void navigate({ to: '/sign-in' }), sayError);
  }
  return (
    <nav className="rail" aria-label="Main">
      {places.map(({ to, label, key, icon: picture }) => (
        <Link key={to} to={to} data-active={isActive(path, to)} title={`${label} (g ${key})`}>
          {picture}
          {label}
          {waiting.has(to) && (
            <span className="badge-dot" aria-hidden="true" title="Waiting for a decision">
              {waiting.get(to)}
            </span>
          )}
        </Link>
      ))}
      <span className="spacer" />
      <button type="button" onClick={onSearch} title="Search everything (⌘K or Ctrl K)">
        {icon('M9 14A5 5 0 109 4a5 5 0 000 10zM13 13l4 4')}
        Search
      </button>
      <button type="button" onClick={onHelp} title="Keys of the keyboard (?)">
        {icon('M7 8a3 3 0 116 0c0 2-3 2-3 4M10 15.5v.1')}
        Help
      </button>
      <button
        type="button"
        title={`Colours: ${theme}`}
        onClick={() => {
          const next = nextTheme(theme);
          applyTheme(next);
          setTheme(next);
        }}
      >
        {icon('M10 3a7 7 0 100 14V3z')}
        {theme}
      </button>
      {server.auth && (
        <button type="button" onClick={leave} title={`Sign out ${name} of ${tenant}`}>
          {icon('M8 4H4v12h4M12 7l4 3-4 3M16 10H8')}
          Sign out
        </button>
      )}
    </nav>
  );
}
