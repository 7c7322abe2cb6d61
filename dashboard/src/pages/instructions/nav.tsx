import './instructions.css';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTool } from '../../api/use-tool.ts';
import { SectionFrame } from '../../kit/section-nav.tsx';

const shownCount = 20;

/** How many proposals wait, at most `20+`. */
export function usePendingCount(): string | undefined {
  const { data } = useTool('instructions_proposals', { state: 'pending', limit: shownCount });
  if (data === undefined || data.items.length === 0) return undefined;
  return data.nextCursor === undefined ? String(data.items.length) : `${data.items.length}+`;
}

/** The pages of this memory. */
export const InstructionsFrame = ({ children }: { readonly children: ReactNode }) => (
  <SectionFrame
    name="Instructions"
    places={[
      { to: '/instructions', label: 'Rules' },
      { to: '/instructions/-/proposals', label: 'Proposals', waiting: usePendingCount() },
      { to: '/instructions/-/tester', label: 'Tester' },
      { to: '/instructions/-/import', label: 'Import' },
      { to: '/instructions/-/checks', label: 'Checks' },
      { to: '/instructions/-/archive', label: 'Removed' },
    ]}
  >
    {children}
  </SectionFrame>
);

/** The page of a rule. */
export const RuleLink = ({ id, children }: { readonly id: string; readonly children?: ReactNode }) => (
  <Link to={`/instructions/${encodeURIComponent(id)}` as never}>
    <bdi>{children ?? id}</bdi>
  </Link>
);
