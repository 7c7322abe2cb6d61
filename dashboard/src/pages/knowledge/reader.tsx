import { useEffect, useRef, useState } from 'react';
import type { Output } from '../../api/call.ts';
import { useTool } from '../../api/use-tool.ts';
import { Button } from '../../kit/button.tsx';
import { Copy } from '../../kit/copy.tsx';
import { Markdown } from '../../kit/markdown.tsx';
import { Page as Frame, PageAnswer } from '../../kit/page.tsx';
import { PageLink, type PagePlace } from './page-link.tsx';

/** Longer pages are shown from the beginning at first: rendering all of a very long one would stop the browser. */
const beginningChars = 200_000;
/** A link to any other kind of address could run a script. */
const isWebAddress = (url: string): boolean => url.startsWith('https://') || url.startsWith('http://');

interface Heading {
  readonly id: string;
  readonly text: string;
  readonly level: number;
}

/** Numbers the headings of a rendered text, so that links can point to them. */
function findHeadings(root: HTMLElement): readonly Heading[] {
  return [...root.querySelectorAll<HTMLElement>('h1, h2, h3, h4')].map((element, at) => {
    element.id = `section-${at}`;
    element.tabIndex = -1;
    return { id: element.id, text: element.textContent ?? '', level: Number(element.tagName.slice(1)) };
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
  const wanted = headings.find((heading) => heading.text === section)?.id;
  useEffect(() => {
    if (wanted !== undefined) scrollTo(wanted);
  }, [wanted]);
  return { host, headings };
}

function Outline({ headings }: { readonly headings: readonly Heading[] }) {
  return (
    <nav className="outline" aria-label="Outline">
      <h2>On this page</h2>
      <ul>
        {headings.map(({ id, text, level }) => (
          <li key={id} style={{ paddingLeft: (level - 1) * 12 }}>
            <button type="button" className="link" onClick={() => scrollTo(id)}>
              {text}
            </button>
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

function PageText({ page, place }: { readonly page: DocPage; readonly place: PagePlace }) {
  const [isWhole, setWhole] = useState(false);
  const body = withoutTitle(page);
  const isCut = !isWhole && body.length > beginningChars;
  const text = isCut ? body.slice(0, beginningChars) : body;
  const { host, headings } = useOutline(text, place.section);
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
            <Markdown text={text} />
          </div>
          {isCut && <Button onClick={() => setWhole(true)}>Show the rest of the page</Button>}
        </div>
        {headings.length > 1 && <Outline headings={headings} />}
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
