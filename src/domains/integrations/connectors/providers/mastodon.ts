import { z } from 'zod';
import { integrationFaults } from '../../integration-faults.ts';
import { defineConnector, type RemoteItem } from '../connector.ts';
import { htmlToText } from '../html-text.ts';
import { findLink } from '../link-header.ts';
import { readParts } from '../parts.ts';
import { isoTime, readItems } from '../read-items.ts';
import { createServiceClient } from '../service-client.ts';

const pageMax = 40;
const allParts = ['posts', 'likes', 'bookmarks'] as const;

const account = z.object({ acct: z.string() });
const original = z.object({
  id: z.string().min(1),
  uri: z.string().min(1),
  url: z.string().nullish(),
  created_at: isoTime,
  edited_at: isoTime.nullish(),
  account,
  content: z.string(),
  spoiler_text: z.string().nullish(),
  visibility: z.string().optional(),
  language: z.string().nullish(),
  in_reply_to_id: z.string().nullish(),
  tags: z.array(z.object({ name: z.string() })).nullish(),
});
const statusForm = original.extend({ reblog: original.nullish() });

/** A boost has no text of its own: it is shown with the text and author of the other post. */
function toItem(part: string, { reblog, ...status }: z.infer<typeof statusForm>): RemoteItem {
  const source = reblog ?? status;
  return {
    kind: 'post',
    // Unique among all servers.
    id: status.uri,
    at: Date.parse(status.edited_at ?? status.created_at),
    fields: {
      text: htmlToText(source.content),
      content_warning: source.spoiler_text || undefined,
      author: source.account.acct,
      url: source.url ?? source.uri,
      boosted_by: reblog == null ? undefined : status.account.acct,
      visibility: status.visibility,
      language: source.language ?? undefined,
      in_reply_to: source.in_reply_to_id ?? undefined,
      tags: source.tags?.map(({ name }) => name) ?? [],
      is_liked: part === 'likes' || undefined,
      is_bookmarked: part === 'bookmarks' || undefined,
      created_at: status.created_at,
      edited_at: source.edited_at ?? undefined,
    },
  };
}

/** Each list is read from its oldest entry on, so that the place in it stays valid when entries are added. */
export const mastodon = defineConnector({
  options: z.strictObject({
    address: z.url({ protocol: /^https?$/, error: 'pass the server: connectors add mastodon https://mastodon.social' }),
    parts: z
      .array(z.enum(allParts))
      .min(1)
      .default([...allParts]),
  }),
  secret: { what: 'an access token with the scopes read:accounts, read:statuses, read:favourites and read:bookmarks' },
  open({ address, parts }, token, { outbound, now }) {
    const { origin } = new URL(address);
    const client = createServiceClient(outbound, now);
    const headers = { authorization: `Bearer ${token}` };
    let accountId: string | undefined;

    async function pathOf(part: string, signal: AbortSignal): Promise<string> {
      if (part === 'likes') return '/api/v1/favourites';
      if (part === 'bookmarks') return '/api/v1/bookmarks';
      const me = z.object({ id: z.string().regex(/^\w+$/) });
      accountId ??= (await client.json(`${origin}/api/v1/accounts/verify_credentials`, me, { headers, signal })).id;
      return `/api/v1/accounts/${accountId}/statuses`;
    }

    return {
      fetchPage: readParts(parts, async ({ part, place = '0', limit, signal }) => {
        const path = await pathOf(part, signal);
        const query = new URLSearchParams({ limit: String(Math.min(limit, pageMax)), min_id: place });
        const answer = await client.jsonPage(`${origin}${path}?${query.toString()}`, z.array(z.unknown()), {
          headers,
          signal,
        });
        if (answer.value.length === 0) return { items: [], place, hasMore: false };
        // Likes and bookmarks have ids of their own, which only this header names. Its URL is not requested.
        const newer = findLink(answer.headers.link, 'prev')?.searchParams.get('min_id');
        if (newer == null) throw integrationFaults.SYNC_FAILED({ why: `${origin} did not name the next page` });
        // Newest first within a page.
        const read = readItems(answer.value.toReversed(), statusForm, (status) => toItem(part, status));
        return { ...read, place: newer, hasMore: true };
      }),
    };
  },
});
