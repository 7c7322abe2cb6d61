import { z } from 'zod';
import { type ConnectorDeps, defineConnector, type OAuthService, type RemoteItem } from '../connector.ts';
import { tokenOf, walkOn } from '../newest-first.ts';
import { formRequest, readTokens, requestTokens, type Tokens } from '../oauth/tokens.ts';
import { type PartPage, type PartRequest, readParts } from '../parts.ts';
import { isoTime, readItems } from '../read-items.ts';
import { createServiceClient, type ServiceClient } from '../service-client.ts';

const defaultApi = 'https://api.x.com';
const scopes = ['tweet.read', 'users.read', 'like.read', 'bookmark.read', 'offline.access'];
/** Each list has its own range of `max_results`. */
const lists = {
  posts: { path: 'tweets', min: 5, max: 100 },
  likes: { path: 'liked_tweets', min: 5, max: 100 },
  bookmarks: { path: 'bookmarks', min: 1, max: 100 },
} as const;
const allParts = ['posts', 'likes', 'bookmarks'] as const;
/** A token that ends so soon is renewed first: the clock of X may be ahead. */
const expiryMarginMs = 60_000;

const id = z.string().regex(/^\d{1,19}$/);
const postForm = z.object({
  id,
  text: z.string(),
  author_id: id.optional(),
  created_at: isoTime.optional(),
  conversation_id: id.optional(),
  lang: z.string().optional(),
  note_tweet: z.object({ text: z.string() }).optional(),
  referenced_tweets: z.array(z.object({ type: z.string(), id })).optional(),
});
const pageForm = z.object({
  data: z.array(z.unknown()).optional(),
  includes: z.object({ users: z.array(z.object({ id, username: z.string() })).optional() }).optional(),
  meta: z.object({ next_token: z.string().min(1).optional(), newest_id: id.optional() }),
});
const postsPlace = z.object({ since: id.optional(), token: z.string().optional(), newest: id.optional() });

const postUrl = (postId: string): string => `https://x.com/i/web/status/${postId}`;

function toItem(part: string, names: ReadonlyMap<string, string>, post: z.infer<typeof postForm>): RemoteItem {
  const references = post.referenced_tweets ?? [];
  const find = (type: string) => references.find((reference) => reference.type === type)?.id;
  const refer = (type: string) => {
    const found = find(type);
    return found === undefined ? undefined : postUrl(found);
  };
  return {
    kind: 'post',
    id: postUrl(post.id),
    at: post.created_at === undefined ? undefined : Date.parse(post.created_at),
    fields: {
      // The whole text of a long post.
      text: post.note_tweet?.text ?? post.text,
      author: post.author_id === undefined ? undefined : (names.get(post.author_id) ?? post.author_id),
      url: postUrl(post.id),
      language: post.lang,
      conversation: post.conversation_id,
      in_reply_to: refer('replied_to'),
      quotes: refer('quoted'),
      reposts: refer('retweeted'),
      is_liked: part === 'likes' || undefined,
      is_bookmarked: part === 'bookmarks' || undefined,
      created_at: post.created_at,
    },
  };
}

function askTokens(
  client: ServiceClient,
  api: string,
  app: { readonly clientId: string; readonly clientSecret: string | undefined },
  form: Readonly<Record<string, string>>,
  { signal, now }: { readonly signal: AbortSignal; readonly now: number },
) {
  const { clientId, clientSecret } = app;
  const request = formRequest({ ...form, client_id: clientId }, signal);
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const headers = { ...request.headers, ...(clientSecret !== undefined && { authorization: `Basic ${basic}` }) };
  return requestTokens(client, `${api}/2/oauth2/token`, { ...request, headers }, now);
}

const toOAuth = (api: string): OAuthService => ({
  authorizeUrl: api === defaultApi ? 'https://x.com/i/oauth2/authorize' : `${api}/i/oauth2/authorize`,
  scope: scopes.join(' '),
  async exchange({ code, verifier, redirectUri, clientId, clientSecret }, { outbound, now }, signal) {
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    const client = createServiceClient(outbound, now);
    const tokens = await askTokens(client, api, { clientId, clientSecret }, form, { signal, now: now() });
    return JSON.stringify({ ...tokens, client_id: clientId, client_secret: clientSecret });
  },
});

/** Requests with a valid token. A refresh token can be used once: the new one is stored before anything else is done. */
function createAuthorized(api: string, secret: string, { outbound, now, saveSecret }: ConnectorDeps) {
  const client = createServiceClient(outbound, now);
  let tokens = readTokens(secret);
  const toHeaders = ({ access_token }: Tokens) => ({ authorization: `Bearer ${access_token}` });

  async function renew(signal: AbortSignal) {
    const { refresh_token, client_id: clientId, client_secret: clientSecret } = tokens;
    if (refresh_token === undefined || clientId === undefined) return undefined;
    const form = { grant_type: 'refresh_token', refresh_token };
    const renewed = await askTokens(client, api, { clientId, clientSecret }, form, { signal, now: now() });
    tokens = { ...tokens, ...renewed };
    await saveSecret(JSON.stringify(tokens));
    return toHeaders(tokens);
  }

  return async <T>(path: string, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> => {
    if ((tokens.expires_at ?? Number.POSITIVE_INFINITY) - expiryMarginMs < now()) await renew(signal);
    const headers = toHeaders(tokens);
    return client.json(`${api}/2/${path}`, schema, { headers, signal, renew: () => renew(signal) });
  };
}

export const x = defineConnector({
  options: z.strictObject({
    address: z.url({ protocol: /^https?$/, error: 'the address is that of the API' }).default(defaultApi),
    parts: z
      .array(z.enum(allParts))
      .min(1)
      .default([...allParts]),
  }),
  secret: { what: 'an access token, or --client-id to log in with the browser' },
  oauth: ({ address }) => toOAuth(new URL(address).origin),
  open({ address, parts }, secret = '', deps) {
    const get = createAuthorized(new URL(address).origin, secret, deps);
    let userId: string | undefined;

    async function fetchList(part: keyof typeof lists, query: Record<string, string>, request: PartRequest) {
      const { path, min, max } = lists[part];
      const { signal } = request;
      userId ??= (await get('users/me', z.object({ data: z.object({ id }) }), signal)).data.id;
      const parameters = new URLSearchParams({
        max_results: String(Math.min(Math.max(request.limit, min), max)),
        'tweet.fields': 'author_id,conversation_id,created_at,lang,note_tweet,referenced_tweets',
        expansions: 'author_id',
        'user.fields': 'username',
        ...query,
      });
      const page = await get(`users/${userId}/${path}?${parameters.toString()}`, pageForm, signal);
      const { data = [], includes, meta } = page;
      const names = new Map(includes?.users?.map((user) => [user.id, user.username]));
      return { ...readItems(data, postForm, (post) => toItem(part, names, post)), meta };
    }

    /** X returns the newest posts first; the next sync asks for those after the newest of this one. */
    async function fetchPosts(request: PartRequest): Promise<PartPage> {
      const { since, token, newest } = postsPlace.parse(JSON.parse(request.place ?? '{}'));
      const query = { ...(since && { since_id: since }), ...(token && { pagination_token: token }) };
      const { items, problems, meta } = await fetchList('posts', query, request);
      const first = newest ?? meta.newest_id;
      const hasMore = meta.next_token !== undefined;
      const place = hasMore ? { since, token: meta.next_token, newest: first } : { since: first ?? since };
      return { items, problems, hasMore, place: JSON.stringify(place) };
    }

    async function fetchMarked(part: 'likes' | 'bookmarks', request: PartRequest): Promise<PartPage> {
      const token = tokenOf(request.place);
      const query = token === undefined ? {} : { pagination_token: token };
      const { items, problems, meta } = await fetchList(part, query, request);
      return {
        items,
        problems,
        ...walkOn(request.place, { ids: items.map((item) => item.id), next: meta.next_token }),
      };
    }

    return {
      fetchPage: readParts(parts, (request) =>
        request.part === 'likes' || request.part === 'bookmarks'
          ? fetchMarked(request.part, request)
          : fetchPosts(request),
      ),
    };
  },
});
