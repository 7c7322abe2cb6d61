import type { AnyFeed } from 'feedsmith';
import { htmlToText } from '../html-text.ts';

/** An entry of a feed of any format. Links are as written. */
export interface FeedEntry {
  readonly id: string | undefined;
  readonly link: string | undefined;
  readonly title: string | undefined;
  readonly text: string | undefined;
  readonly authors: readonly (string | undefined)[] | undefined;
  readonly published: string | undefined;
  readonly updated: string | undefined;
  readonly tags: readonly (string | undefined)[] | undefined;
  /** Its links are relative to this, if it names one. */
  readonly base?: string | undefined;
}

export interface FeedEntries {
  readonly title: string | undefined;
  /** The web page of the feed. */
  readonly link: string | undefined;
  readonly base?: string | undefined;
  readonly entries: readonly FeedEntry[];
}

type FeedOf<Format extends AnyFeed['format']> = Extract<AnyFeed, { format: Format }>['feed'];

interface Person {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

interface AtomText {
  readonly value?: string | undefined;
  readonly type?: string | undefined;
}

const toText = (html: string | undefined): string | undefined => (html === undefined ? undefined : htmlToText(html));

const toNames = (people: readonly Person[] | undefined) => people?.map(({ name, email }) => name ?? email);

/** RFC 4287: text is plain unless its type says that it is markup. */
const fromAtomText = (text: AtomText | undefined): string | undefined =>
  text?.type === 'html' || text?.type === 'xhtml' || text?.type === 'text/html' ? toText(text.value) : text?.value;

const fromRss = (feed: FeedOf<'rss'>): FeedEntries => ({
  title: toText(feed.title),
  link: feed.link,
  entries: (feed.items ?? []).map((item) => ({
    id: item.guid?.value,
    link: item.link ?? (item.guid?.isPermaLink === false ? undefined : item.guid?.value),
    title: toText(item.title),
    text: toText(item.content?.encoded ?? item.description),
    authors: toNames(item.authors) ?? item.dc?.creators,
    published: item.pubDate ?? item.dc?.dates?.[0],
    updated: item.atom?.updated,
    tags: item.categories?.map(({ name }) => name) ?? item.dc?.subjects,
  })),
});

const fromRdf = (feed: FeedOf<'rdf'>): FeedEntries => ({
  title: toText(feed.title),
  link: feed.link,
  entries: (feed.items ?? []).map((item) => ({
    id: item.rdf?.about,
    link: item.link,
    title: toText(item.title),
    text: toText(item.content?.encoded ?? item.description),
    authors: item.dc?.creators,
    published: item.dc?.dates?.[0],
    updated: undefined,
    tags: item.dc?.subjects,
  })),
});

const findPage = (links: readonly { readonly href?: string; readonly rel?: string }[] | undefined) =>
  links?.find(({ rel = 'alternate' }) => rel === 'alternate')?.href;

const fromAtom = (feed: FeedOf<'atom'>): FeedEntries => ({
  title: fromAtomText(feed.title),
  link: findPage(feed.links),
  // RFC 4287: without xml:base, links are relative to the document.
  base: feed.xml?.base ?? '',
  entries: (feed.entries ?? []).map((entry) => ({
    id: entry.id,
    link: findPage(entry.links) ?? entry.content?.src,
    title: fromAtomText(entry.title),
    text: fromAtomText(entry.content?.value === undefined ? entry.summary : entry.content),
    authors: toNames(entry.authors ?? entry.source?.authors ?? feed.authors),
    published: entry.published,
    updated: entry.updated,
    tags: entry.categories?.map(({ label, term }) => label ?? term),
    base: entry.xml?.base,
  })),
});

const fromJson = (feed: FeedOf<'json'>): FeedEntries => ({
  title: feed.title,
  link: feed.home_page_url,
  entries: (feed.items ?? []).map((item) => ({
    id: item.id,
    link: item.url ?? item.external_url,
    title: item.title,
    text: item.content_text ?? toText(item.content_html) ?? item.summary,
    authors: toNames(item.authors ?? feed.authors),
    published: item.date_published,
    updated: item.date_modified,
    tags: item.tags,
  })),
});

export function toEntries(parsed: AnyFeed): FeedEntries {
  if (parsed.format === 'rss') return fromRss(parsed.feed);
  if (parsed.format === 'rdf') return fromRdf(parsed.feed);
  return parsed.format === 'atom' ? fromAtom(parsed.feed) : fromJson(parsed.feed);
}
