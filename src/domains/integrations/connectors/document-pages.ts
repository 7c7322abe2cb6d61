import { z } from 'zod';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalJson } from '#kernel/json/canonical.ts';
import type { PageRequest, RemoteItem, RemotePage, RemoteProblem } from './connector.ts';
import { decodeText } from './decode-text.ts';
import type { ServiceClient } from './service-client.ts';

/** What a server named for the next request of a document; it then answers whether the document has changed. */
export interface Validators {
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
}

export interface FetchedDocument {
  readonly text: string;
  readonly url: string;
  readonly validators: Validators;
}

/** Undefined if the document has not changed since. */
export async function fetchDocument(
  client: ServiceClient,
  url: string,
  { etag, modified }: Validators,
  { headers, signal }: { readonly headers: Readonly<Record<string, string>>; readonly signal: AbortSignal },
): Promise<FetchedDocument | undefined> {
  const isConditional = etag !== undefined || modified !== undefined;
  const answer = await client.request(url, {
    headers: {
      ...headers,
      ...(etag !== undefined && { 'if-none-match': etag }),
      ...(modified !== undefined && { 'if-modified-since': modified }),
    },
    signal,
    accepted: isConditional ? [304] : [],
  });
  if (answer.status === 304) return undefined;
  return {
    text: decodeText(answer.body, answer.headers['content-type']),
    url: answer.url,
    validators: { etag: answer.headers.etag, modified: answer.headers['last-modified'] },
  };
}

const cursorForm = z.object({
  // Only after all of the document was stored.
  etag: z.string().optional(),
  modified: z.string().optional(),
  /** The items that are stored, and a hash of each. */
  known: z.array(z.tuple([z.string(), z.string()])).default([]),
});

/** The hash also has what is needed when the item is gone. */
const versionOf = ({ fields }: RemoteItem, note: string): string =>
  `${sha256Hex(canonicalJson(fields)).slice(0, 16)} ${note}`;

export interface DocumentSource {
  load(validators: Validators, signal: AbortSignal): Promise<FetchedDocument | undefined>;
  read(
    document: FetchedDocument,
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly RemoteItem[]; readonly problems: readonly RemoteProblem[] }>;
  /** A short text that `toRemoved` gets back. */
  toNote?(item: RemoteItem): string;
  /** What to store if an item is no longer in the document; undefined for nothing. */
  toRemoved?(id: string, note: string): RemoteItem | undefined;
}

/** Pages over the items of one document, such as a feed: those that are new or have changed, and those that are gone. */
export function documentPages(source: DocumentSource): (request: PageRequest) => Promise<RemotePage> {
  const { toNote = () => '', toRemoved = () => undefined } = source;
  // For all pages of a sync.
  let document:
    | {
        readonly items: ReadonlyMap<string, RemoteItem>;
        readonly problems: readonly RemoteProblem[];
        readonly validators: Validators;
      }
    | undefined;

  return async ({ cursor, limit, signal }) => {
    const at = cursorForm.parse(JSON.parse(cursor ?? '{}'));
    if (document === undefined) {
      const fetched = await source.load(at, signal);
      if (fetched === undefined) return { items: [], hasMore: false, cursor: JSON.stringify(at) };
      const read = await source.read(fetched, signal);
      const byId = new Map(read.items.map((item) => [item.id, item]));
      document = { items: byId, problems: read.problems, validators: fetched.validators };
    }
    const { items, problems, validators } = document;
    const known = new Map(at.known);
    const page: RemoteItem[] = [];
    let hasMore = false;
    for (const [id, item] of items) {
      const version = versionOf(item, toNote(item));
      if (known.get(id) === version) continue;
      hasMore = page.length === limit;
      if (hasMore) break;
      page.push(item);
      known.set(id, version);
    }
    for (const [id, version] of at.known) {
      if (hasMore || items.has(id)) continue;
      const removed = toRemoved(id, version.slice(version.indexOf(' ') + 1));
      hasMore = removed !== undefined && page.length === limit;
      if (hasMore) break;
      if (removed !== undefined) page.push(removed);
      known.delete(id);
    }
    const next = { ...(hasMore ? {} : validators), known: [...known] };
    // Only with the last page: a sync that is killed earlier reads the document again, and each problem counts once.
    return { items: page, problems: hasMore ? [] : problems, hasMore, cursor: JSON.stringify(next) };
  };
}
