import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { plural } from '../../kit/plural.ts';

/** The library of the docs that come with the program. */
export const shippedLibrary = 'feathers';

/** Some of the included docs apply to both versions. */
export const toVersionName = (version: string): string => (version === 'both' ? 'v4 and v5' : version);

export const toSourceName = ({
  source_kind,
  source,
}: {
  readonly source_kind: string;
  readonly source: string;
}): string => (source_kind === 'pages' ? 'sent as text' : source);

export const countPages = (count: number): string => plural(count, 'page');

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

const docEndings = /\.(?:md|mdx|markdown|html?|txt)$/i;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What a relative link in a page leads to, if it can be a page of the library: `../guide/hooks.md#around`. */
export function toLinkedPlace(place: PagePlace, href: string): PagePlace | undefined {
  if (href.startsWith('#')) return { ...place, section: decode(href) };
  if (href === '' || href.startsWith('/') || URL.canParse(href)) return undefined;
  const here = (place.page ?? '').split('/').map(encodeURIComponent).join('/');
  const url = URL.parse(href, `http://docs/${here}`);
  const page = decode(url?.pathname.slice(1) ?? '');
  return docEndings.test(page) ? { ...place, page, section: decode(url?.hash ?? '') || undefined } : undefined;
}

interface PageLinkProps {
  readonly place: PagePlace;
  readonly className?: string;
  readonly onClick?: () => void;
  readonly children: ReactNode;
}

export const PageLink = ({ place, ...rest }: PageLinkProps) => (
  <Link {...(Object.assign(toPageLink(place), rest) as unknown as LinkProps)} />
);
