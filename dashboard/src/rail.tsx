import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { request } from './api/call.ts';
import { useCaller } from './api/caller.tsx';
import { useWaiting } from './api/waiting.ts';
import { Dialog } from './kit/dialog.tsx';
import { exactly } from './kit/section-nav.tsx';
import { applyTheme, nextTheme, useTheme } from './kit/theme.ts';
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
    label: 'Knowledge',
    key: 'k',
    icon: icon('M4 4h5a2 2 0 011 1v12a2 2 0 00-1-1H4zM16 4h-5a2 2 0 00-1 1v12a2 2 0 011-1h5z'),
  },
  { to: '/notebooks', label: 'Notebooks', key: 'n', icon: icon('M6 3h10v14H6zM4 6h2M4 10h2M4 14h2M9 7h4M9 10h4') },
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
    icon: icon('M3 6h7M14 6h3M3 14h3M10 14h7M14 6a2 2 0 10-4 0 2 2 0 004 0zM10 14a2 2 0 10-4 0 2 2 0 004 0z'),
  },
] as const;

const isActive = (path: string, to: string): boolean =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);

/** A narrow screen has room for these; the others are behind "More". */
const narrowCount = 5;
const narrowPlaces: readonly string[] = places.slice(0, narrowCount).map(({ to }) => to);

const themeNames = { system: 'Auto', light: 'Light', dark: 'Dark' } as const;

/** Loads the page again, so that the next person finds nothing of this one. */
export async function signOut(): Promise<void> {
  await request('/api/session', { method: 'DELETE' });
  sessionStorage.clear();
  location.assign('/sign-in');
}

interface RailAction {
  readonly label: string;
  readonly title: string;
  readonly picture: ReactNode;
  readonly run: () => void;
  /** It changes something on the screen behind, so "More" stays open. */
  readonly staysOpen?: true;
}

interface RailProps {
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

function useActions({ onSearch, onHelp }: RailProps): readonly RailAction[] {
  const { name, tenant, server } = useCaller();
  const theme = useTheme();
  const leave = {
    label: 'Sign out',
    title: `Sign out ${name} of ${tenant}`,
    picture: icon('M8 4H4v12h4M12 7l4 3-4 3M16 10H8'),
    run: () => void signOut().catch(sayError),
  };
  return [
    {
      label: 'Search',
      title: 'Search everything (⌘K or Ctrl K)',
      picture: icon('M9 14A5 5 0 109 4a5 5 0 000 10zM13 13l4 4'),
      run: onSearch,
    },
    {
      label: 'Help',
      title: 'Keys of the keyboard (?)',
      picture: icon('M7 8a3 3 0 116 0c0 2-3 2-3 4M10 15.5v.1'),
      run: onHelp,
    },
    {
      label: themeNames[theme],
      title: `Colours: ${theme}`,
      picture: icon('M10 3a7 7 0 100 14V3z'),
      run: () => applyTheme(nextTheme(theme)),
      staysOpen: true,
    },
    ...(server.auth ? [leave] : []),
  ];
}

/** The rest of the rail on a narrow screen. */
const More = ({ actions, onClose }: { readonly actions: readonly RailAction[]; readonly onClose: () => void }) => (
  <Dialog title="More" onClose={onClose}>
    <nav className="more" aria-label="More">
      {places.slice(narrowCount).map(({ to, label, icon: picture }) => (
        <Link key={to} to={to} onClick={onClose}>
          {picture}
          {label}
        </Link>
      ))}
      {actions.map(({ label, title, picture, run, staysOpen }) => (
        <button
          key={title}
          type="button"
          title={title}
          onClick={() => {
            if (!staysOpen) onClose();
            run();
          }}
        >
          {picture}
          {label}
        </button>
      ))}
    </nav>
  </Dialog>
);

export function Rail(props: RailProps) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const waiting = useWaiting();
  const countOf = (to: string): number =>
    waiting.filter(({ memory }) => to === `/${memory}`).reduce((sum, { count }) => sum + count, 0);
  const actions = useActions(props);
  const [isMore, setMore] = useState(false);
  return (
    <nav className="rail" aria-label="Main">
      {places.map(({ to, label, key, icon: picture }) => (
        <Link
          key={to}
          to={to}
          className={narrowPlaces.includes(to) ? undefined : 'rail-rest'}
          activeOptions={exactly}
          data-active={isActive(path, to)}
          aria-current={isActive(path, to) ? 'page' : undefined}
          title={`${label} (g ${key})`}
        >
          {picture}
          {label}
          {countOf(to) > 0 && (
            <span className="badge-dot" aria-hidden="true" title="Waiting for a decision">
              {countOf(to)}
            </span>
          )}
        </Link>
      ))}
      <span className="spacer" />
      {actions.map(({ label, title, picture, run }) => (
        <button key={title} type="button" className="rail-rest" onClick={run} title={title}>
          {picture}
          {label}
        </button>
      ))}
      <button
        type="button"
        className="rail-more"
        data-active={!narrowPlaces.some((to) => isActive(path, to))}
        onClick={() => setMore(true)}
      >
        {icon('M4 10h.1M10 10h.1M16 10h.1')}
        More
      </button>
      {isMore && <More actions={actions} onClose={() => setMore(false)} />}
    </nav>
  );
}
