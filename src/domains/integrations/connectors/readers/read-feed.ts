import { DetectError, parseFeed } from 'feedsmith';
import { attributeOf, readTags } from '#kernel/markup/html-tags.ts';
import type { RemoteItem, RemoteProblem } from '../connector.ts';
import { type FeedEntries, type FeedEntry, toEntries } from './feed-entry.ts';

export interface ReadFeedInput {
  readonly text: string;
  /** As connected: names the feed. */
  readonly address: string;
  /** Where it was, after redirects. */
  readonly url: string;
}

/** `why` says why nothing could be read. */
export type ReadFeedResult =
  | { readonly items: readonly RemoteItem[]; readonly problems: readonly RemoteProblem[] }
  | { readonly why: string };

const feedTypes: ReadonlySet<string> = new Set([
  ...['application/rss+xml', 'application/atom+xml', 'application/rdf+xml', 'application/feed+json'],
]);
const shownFeedsCount = 3;

/** An absolute http or https URL; undefined if there is none. */
function resolveLink(link: string | undefined, base: string): string | undefined {
  const url = link === undefined ? null : URL.parse(link.trim(), base);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}

/** Why a text is not a feed. A web page often names its feed. */
function explain(text: string, url: string): string {
  const feeds: string[] = [];
  let isPage = false;
  for (const tag of readTags(text)) {
    if ('text' in tag) continue;
    if (tag.name === 'html' || tag.name === 'head' || tag.name === 'body') isPage = true;
    if (tag.name !== 'link' || !/\balternate\b/i.test(attributeOf(tag, 'rel') ?? '')) continue;
    const href = resolveLink(attributeOf(tag, 'href'), url);
    if (href !== undefined && feedTypes.has(attributeOf(tag, 'type')?.toLowerCase() ?? '')) feeds.push(href);
  }
  if (feeds.length > 0)
    return `this is a web page; connect its feed instead: ${feeds.slice(0, shownFeedsCount).join(' or ')}`;
  return isPage ? 'this is a web page that names no feed' : 'it is neither RSS, Atom nor JSON Feed';
}

/** The parser accepts a text that ends between two entries; the others would be missing. */
function isComplete(text: string): boolean {
  let end = text.trimEnd();
  while (end.endsWith('-->')) {
    const start = end.lastIndexOf('<!--');
    if (start === -1) return false;
    end = end.slice(0, start).trimEnd();
  }
  return end.startsWith('{') || /<\/(?:\w+:)?(?:rss|feed|rdf)\s*>$/i.test(end.slice(-64));
}

/** Valid in every feed; another id, such as a number, is unique in its own feed only. */
const isGlobal = (id: string): boolean => /^(?:https?|urn|tag):/i.test(id);

function toTime(text: string | undefined): string | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isFinite(ms) ? new Date(ms).toISOString() : undefined;
}

const clean = (texts: FeedEntry['tags']): readonly string[] =>
  (texts ?? []).flatMap((text) => (text?.trim() ? [text.trim()] : []));

function toItem(entry: FeedEntry, feed: FeedEntries, { address, url }: ReadFeedInput): RemoteItem | undefined {
  const feedBase = resolveLink(feed.base, url) ?? resolveLink(feed.link, url) ?? url;
  const link = resolveLink(entry.link, resolveLink(entry.base, feedBase) ?? feedBase);
  const id = entry.id?.trim() || link;
  if (id === undefined) return undefined;
  return {
    kind: 'article',
    id: isGlobal(id) ? id : `${address} ${id}`,
    fields: {
      title: entry.title,
      url: link,
      author: clean(entry.authors).join(', ') || undefined,
      text: entry.text ?? '',
      tags: [...clean(entry.tags)],
      published_at: toTime(entry.published),
      updated_at: toTime(entry.updated),
      feed: feed.title,
      feed_url: address,
    },
  };
}

/** The entries of a feed: RSS, Atom or JSON Feed. Runs in a process of its own, because anyone can write a feed. */
export function readFeed(input: ReadFeedInput): ReadFeedResult {
  const { text, url } = input;
  let feed: FeedEntries;
  try {
    feed = toEntries(parseFeed(text));
  } catch (error) {
    if (error instanceof DetectError) return { why: explain(text, url) };
    return { why: 'its XML or JSON is broken' };
  }
  if (!isComplete(text)) return { why: 'the feed ends in the middle' };
  const items: RemoteItem[] = [];
  const problems: RemoteProblem[] = [];
  for (const entry of feed.entries) {
    const item = toItem(entry, feed, input);
    if (item !== undefined) items.push(item);
    else
      problems.push({ id: entry.title?.slice(0, 100) || 'an entry without title', why: 'it has neither id nor link' });
  }
  return { items, problems };
}
