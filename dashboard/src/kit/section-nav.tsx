import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { Badge } from './feedback.tsx';

export interface Place {
  /** Fixed pages are below `/-/`: an id is always one part of an address, so none can be mistaken for a page. */
  readonly to: string;
  readonly label: string;
  /** What waits for a person there. */
  readonly waiting?: string | number | undefined;
}

interface SectionFrameProps {
  readonly name: string;
  readonly places: readonly Place[];
  readonly children: ReactNode;
}

/** Otherwise a link is also marked as the present page on all pages below its address. */
export const exactly = { exact: true } as const;

/** The pages of one section as a bar above each of them. */
export function SectionFrame({ name, places, children }: SectionFrameProps) {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const active = places.findLast(({ to }) => path === to || path.startsWith(`${to}/`))?.to;
  const bar = useRef<HTMLElement>(null);
  const badges = places.map(({ waiting }) => waiting ?? '').join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: on a narrow screen the bar scrolls to the active page, and again when a badge makes it wider
  useEffect(() => {
    bar.current?.querySelector('[data-active="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [active, badges]);
  return (
    <>
      <nav className="section-nav" aria-label={name} ref={bar}>
        {places.map(({ to, label, waiting }) => (
          <Link
            key={to}
            to={to as never}
            activeOptions={exactly}
            data-active={to === active}
            aria-current={to === active ? 'page' : undefined}
          >
            {label} {waiting ? <Badge tone="accent">{waiting}</Badge> : null}
          </Link>
        ))}
      </nav>
      {children}
    </>
  );
}
