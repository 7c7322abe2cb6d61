import { z } from 'zod';
import { integrationFaults } from '../../integration-faults.ts';
import { type ConnectorDeps, defineConnector, type OAuthService, type RemoteItem } from '../connector.ts';
import { tokenOf, walkOn } from '../newest-first.ts';
import { formRequest, readTokens, requestTokens, type Tokens } from '../oauth/tokens.ts';
import { isoTime, readItems } from '../read-items.ts';
import { createServiceClient, type ServiceClient } from '../service-client.ts';

const defaultApi = 'https://graph.instagram.com';
const pageMax = 100;
const dayMs = 86_400_000;
/** Tokens live 60 days. They can be renewed after one day, and not after their end. */
const renewalMarginMs = 30 * dayMs;

/** Without media_url: it has a new signature in each answer, which would make every post look changed. */
const fields = 'id,caption,media_type,media_product_type,permalink,timestamp,username';
const mediaForm = z.object({
  id: z.string().min(1),
  caption: z.string().nullish(),
  media_type: z.string(),
  media_product_type: z.string().nullish(),
  permalink: z.string().nullish(),
  timestamp: isoTime,
  username: z.string().nullish(),
});
const pageForm = z.object({
  data: z.array(z.unknown()),
  paging: z
    .object({ cursors: z.object({ after: z.string().min(1).optional() }).optional(), next: z.string().optional() })
    .optional(),
});

/** Errors come with HTTP 400 and a code of their own. */
const answerForm = z.union([pageForm, z.object({ error: z.object({ code: z.int() }) })]);
const limitCodes: readonly number[] = [4, 17, 32, 613];

function toFault(code: number) {
  if (code === 190) return integrationFaults.LOGIN_FAILED({ why: 'Instagram rejects the token (code 190)' });
  const why = limitCodes.includes(code) ? 'allows no more requests for now' : 'answered with an error';
  return integrationFaults.SYNC_FAILED({ why: `Instagram ${why} (code ${code})` });
}

const toItem = (media: z.infer<typeof mediaForm>): RemoteItem => ({
  kind: 'post',
  id: media.id,
  at: Date.parse(media.timestamp),
  fields: {
    text: media.caption ?? '',
    author: media.username ?? undefined,
    url: media.permalink ?? undefined,
    media_type: media.media_type.toLowerCase(),
    product: media.media_product_type?.toLowerCase(),
    created_at: media.timestamp,
  },
});

interface Requester {
  readonly client: ServiceClient;
  readonly signal: AbortSignal;
  readonly now: number;
}

const askGraph = (url: string, query: Readonly<Record<string, string>>, { client, signal, now }: Requester) =>
  requestTokens(client, `${url}?${new URLSearchParams(query).toString()}`, { signal }, now);

const toOAuth = (api: string): OAuthService => ({
  authorizeUrl: api === defaultApi ? 'https://www.instagram.com/oauth/authorize' : `${api}/oauth/authorize`,
  scope: 'instagram_business_basic',
  needsClientSecret: true,
  /** The code gives a token for an hour, and that one a token for 60 days. */
  async exchange({ code, verifier, redirectUri, clientId, clientSecret = '' }, { outbound, now }, signal) {
    const requester = { client: createServiceClient(outbound, now), signal, now: now() };
    const login = api === defaultApi ? 'https://api.instagram.com' : api;
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: clientSecret,
      code_verifier: verifier,
    };
    const url = `${login}/oauth/access_token`;
    const short = await requestTokens(requester.client, url, formRequest(form, signal), requester.now);
    const query = { grant_type: 'ig_exchange_token', client_secret: clientSecret, access_token: short.access_token };
    const long = await askGraph(`${api}/access_token`, query, requester);
    return JSON.stringify({ ...long, renewed_at: requester.now });
  },
});

/** A token whose end is near or unknown is renewed, at most once a day. The old one stays valid. */
function createTokenSource(api: string, secret: string, client: ServiceClient, deps: ConnectorDeps) {
  let tokens = readTokens(secret);
  return async (signal: AbortSignal): Promise<Tokens> => {
    const now = deps.now();
    const { expires_at, renewed_at = 0, access_token } = tokens;
    if ((expires_at ?? 0) - renewalMarginMs > now || now - renewed_at < dayMs) return tokens;
    const query = { grant_type: 'ig_refresh_token', access_token };
    // A token of the last day is rejected, and still works.
    const renewed = await askGraph(`${api}/refresh_access_token`, query, { client, signal, now }).catch(() => ({}));
    signal.throwIfAborted();
    tokens = { ...tokens, ...renewed, renewed_at: now };
    await deps.saveSecret(JSON.stringify(tokens));
    return tokens;
  };
}

export const instagram = defineConnector({
  options: z.strictObject({
    address: z.url({ protocol: /^https?$/, error: 'the address is that of the API' }).default(defaultApi),
  }),
  secret: { what: 'an access token, or --client-id to log in with the browser' },
  oauth: ({ address }) => toOAuth(new URL(address).origin),
  open({ address }, secret = '', deps) {
    const api = new URL(address).origin;
    const client = createServiceClient(deps.outbound, deps.now);
    const getTokens = createTokenSource(api, secret, client, deps);
    return {
      async fetchPage({ cursor, limit, signal }) {
        const { access_token } = await getTokens(signal);
        const after = tokenOf(cursor);
        const query = new URLSearchParams({
          fields,
          limit: String(Math.min(limit, pageMax)),
          access_token,
          ...(after !== undefined && { after }),
        });
        const answer = await client.json(`${api}/me/media?${query.toString()}`, answerForm, {
          signal,
          accepted: [400],
        });
        if ('error' in answer) throw toFault(answer.error.code);
        const { data, paging } = answer;
        // `next` contains the token, and may name any host: only the cursor is used.
        const next = paging?.next === undefined ? undefined : paging.cursors?.after;
        const { items, problems } = readItems(data, mediaForm, toItem);
        const { place, hasMore } = walkOn(cursor, { ids: items.map(({ id }) => id), next });
        return { items, problems, hasMore, cursor: place };
      },
    };
  },
});
