import './instructions.css';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTool } from '../../api/use-tool.ts';
import { Badge } from '../../kit/feedback.tsx';

const shownCount = 20;

/** How many proposals wait, at most `20+`. */
export function usePendingCount(): string | undefined {
  const { data } = useTool('instructions_proposals', { state: 'pending', limit: shownCount });
  if (data === undefined || data.items.length === 0) return undefined;
  return data.nextCursor === undefined ? String(data.items.length) : `${data.items.length}+`;
}

const places = [
  { to: '/instructions', label: 'Rules' },
  { to: '/instructions/proposals', label: 'Proposals' },
  { to: '/instructions/tester', label: 'Tester' },
  { to: '/instructions/import', label: 'Import' },
  { to: '/instructions/checks', label: 'Checks' },
  { to: '/instructions/archive', label: 'Removed' },
] as const;

/** The places of this memory, above each of its pages. */
export function InstructionsFrame({ children }: { readonly children: ReactNode }) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const pending = usePendingCount();
  const active = places.findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.to;
  return (
    <>
      <nav className="subnav" aria-label="Instructions">
        {places.map(({ to, label }) => (
          <Link key={to} to={to as never} data-active={to === active} aria-current={to === active ? 'page' : undefined}>
            {label} {to === '/instructions/proposals' && pending && <Badge tone="accent">{pending}</Badge>}
          </Link>
        ))}
      </nav>
      {children}
    </>
  );
}

/** The page of a rule. */
export const RuleLink = ({ id, children }: { readonly id: string; readonly children?: ReactNode }) => (
  <Link to={`/instructions/${encodeURIComponent(id)}` as never}>
    <bdi>{children ?? id}</bdi>
  </Link>
);
