import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Markdown } from '../../kit/markdown.tsx';
import { Page as Frame, PageAnswer } from '../../kit/page.tsx';
import { PageLink, type PagePlace, toLinkedPlace } from './page-link.tsx';

/** Longer pages are shown from the beginning at first: rendering all of a very long one would stop the browser. */
const beginningChars = 200_000;
/** A link to any other kind of address could run a script. */
const isWebAddress = (url: string): boolean => url.startsWith('https://') || url.startsWith('http://');

interface Heading {
  readonly id: string;
  readonly text: string;
  /** As links in docs write it: `#around-hooks`. */
  readonly anchor: string;
  readonly level: number;
}

const toAnchor = (text: string): string =>
  `#${text
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')}`;

/** Numbers the headings of a rendered text, so that links can point to them. */
function findHeadings(root: HTMLElement): readonly Heading[] {
  const seen = new Map<string, number>();
  return [...root.querySelectorAll<HTMLElement>('h1, h2, h3, h4')].map((element, at) => {
    element.id = `section-${at}`;
    element.tabIndex = -1;
    const text = element.textContent ?? '';
    const anchor = toAnchor(text);
    const earlier = seen.get(anchor) ?? 0;
    seen.set(anchor, earlier + 1);
    return {
      ...{ id: element.id, text, level: Number(element.tagName.slice(1)) },
      anchor: earlier === 0 ? anchor : `${anchor}-${earlier}`,
    };
  });
}

const scrollTo = (id: string): void => {
  const element = document.getElementById(id);
  element?.scrollIntoView({ block: 'start' });
  element?.focus({ preventScroll: true });
};

function useOutline(text: string, section: string | undefined) {
  const host = useRef<HTMLDivElement>(null);
  const [headings, setHeadings] = useState<readonly Heading[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the headings follow the text
  useEffect(() => setHeadings(findHeadings(host.current!)), [text]);
  const wanted = headings.find(({ text: title, anchor }) => section === title || section === anchor)?.id;
  useEffect(() => {
    if (wanted !== undefined) scrollTo(wanted);
  }, [wanted]);
  return { host, headings };
}

interface OutlineProps {
  readonly headings: readonly Heading[];
  readonly place: PagePlace;
}

function Outline({ headings, place }: OutlineProps) {
  const highest = Math.min(...headings.map(({ level }) => level));
  return (
    <nav className="outline" aria-label="Outline">
      <h2>On this page</h2>
      <ul>
        {headings.map(({ id, text, anchor, level }) => (
          <li key={id} style={{ paddingLeft: (level - highest) * 12 }}>
            <PageLink place={{ ...place, section: anchor }} onClick={() => scrollTo(id)}>
              {text}
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

type DocPage = Output<'knowledge_read'>;

/** The title is already the heading of the page. */
function withoutTitle({ title, text }: DocPage): string {
  const heading = `# ${title}\n`;
  return text.startsWith(heading) ? text.slice(heading.length) : text;
}

interface DocLinkProps {
  readonly href?: string | undefined;
  readonly children?: ReactNode;
}

/** Links between the pages of a library stay in the reader; the address of the original completes others. */
function useDocLink({ library, version, page }: PagePlace, original: string | undefined) {
  return useMemo(
    () =>
      function DocLink({ href = '', children }: DocLinkProps) {
        const place = toLinkedPlace({ library, version, page }, href);
        if (place !== undefined) return <PageLink place={place}>{children}</PageLink>;
        const url = URL.parse(href, original);
        return url !== null && isWebAddress(url.href) ? (
          <a href={url.href} rel="noreferrer noopener" target="_blank">
            {children}
          </a>
        ) : (
          <span title={href}>{children}</span>
        );
      },
    [library, version, page, original],
  );
}

function PageText({ page, place }: { readonly page: DocPage; readonly place: PagePlace }) {
  const [isWhole, setWhole] = useState(false);
  const body = withoutTitle(page);
  const isCut = !isWhole && body.length > beginningChars;
  const text = isCut ? body.slice(0, beginningChars) : body;
  const { host, headings } = useOutline(text, place.section);
  const link = useDocLink(place, page.url);
  return (
    <Frame
      title={page.title}
      answer={
        <>
          {page.library} {page.version} · <span className="mono">{page.path}</span>
        </>
      }
      actions={
        <>
          <PageLink className="button narrow-only" place={{ library: place.library, version: place.version }}>
            All pages
          </PageLink>
          {page.url !== undefined && isWebAddress(page.url) && (
            <a className="button" href={page.url} target="_blank" rel="noreferrer noopener">
              Original
            </a>
          )}
          <Copy text={page.text} what="page" />
        </>
      }
    >
      <div className="reader">
        <div>
          <div ref={host} dir="auto">
            <Markdown text={text} link={link} />
          </div>
          {isCut && <Button onClick={() => setWhole(true)}>Show the rest of the page</Button>}
        </div>
        {headings.length > 1 && <Outline headings={headings} place={place} />}
      </div>
    </Frame>
  );
}

/** One page of docs with its outline. */
export function Reader({ place }: { readonly place: PagePlace & { readonly page: string } }) {
  const { library, version, page } = place;
  const read = useTool('knowledge_read', { library, version, path: page });
  return (
    <PageAnswer of={read} title={page} what="Loading the page">
      {(found) => <PageText page={found} place={place} />}
    </PageAnswer>
  );
}
