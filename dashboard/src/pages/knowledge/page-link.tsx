import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** The library of the docs that come with the program. */
export const shippedLibrary = 'feathers';

/** Some of the included docs apply to both versions. */
export const toVersionName = (version: string): string => (version === 'both' ? 'v4 and v5' : version);

export interface PagePlace {
  readonly library: string;
  readonly version: string;
  readonly page?: string | undefined;
  /** The heading to scroll to. */
  readonly section?: string | undefined;
}

/** The address of a library, a page of it, or a section of that page. */
export const toPageLink = ({ library, version, page, section }: PagePlace) => ({
  to: `/knowledge/${encodeURIComponent(library)}`,
  search: { version, ...(page !== undefined && { page }), ...(section !== undefined && { section }) },
});

interface PageLinkProps {
  readonly place: PagePlace;
  readonly className?: string;
  readonly children: ReactNode;
}

export const PageLink = ({ place, ...rest }: PageLinkProps) => (
  <Link {...(Object.assign(toPageLink(place), rest) as unknown as LinkProps)} />
);
