import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface GoProps {
  /** A path of the dashboard, with its query: `/audit?seq=3`. */
  readonly to: string;
  readonly className?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

/** A link to a page of the dashboard whose address is a text. */
export function Go({ to, ...rest }: GoProps) {
  const { pathname, searchParams } = new URL(to, location.origin);
  return <Link to={pathname} search={Object.fromEntries(searchParams)} {...rest} />;
}
