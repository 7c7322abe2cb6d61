import { createAuthorization, readForm } from './oauth-double.fixture.ts';
import { check, checkParameters, checkRange, type SeenRequest, startService } from './service-double.fixture.ts';

export interface SamplePost {
  readonly id: string;
  readonly [field: string]: unknown;
}

export interface XLists {
  readonly posts: SamplePost[];
  readonly likes: SamplePost[];
  readonly bookmarks: SamplePost[];
}

export const clientId = 'client-of-the-test';
const fieldList = /^(?:author_id|conversation_id|created_at|lang|note_tweet|referenced_tweets|,)+$/;

/** The lists of one user in the API v2 and its token endpoint. Each list is newest first, with opaque page tokens. */
export async function startX(lists: XLists, clientSecret?: string) {
  const ranges = { tweets: [lists.posts, 5], liked_tweets: [lists.likes, 5], bookmarks: [lists.bookmarks, 1] } as const;
  const scope = /^tweet\.read users\.read like\.read bookmark\.read offline\.access$/;
  const authorization = createAuthorization(scope, clientId);
  const tokens = { count: 0, access: 'X-access-S3cret-0', refresh: 'X-refresh-S3cret-0' };

  function answerToken(request: SeenRequest) {
    const form = readForm(request, [
      'grant_type',
      'client_id',
      'code',
      'redirect_uri',
      'code_verifier',
      'refresh_token',
    ]);
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    check(request.headers.authorization === (clientSecret === undefined ? undefined : basic), 'Authorization');
    check(form.get('client_id') === clientId, 'client_id');
    const isCode = form.get('grant_type') === 'authorization_code';
    check(isCode || form.get('grant_type') === 'refresh_token', 'grant_type');
    const isValid = isCode ? authorization.redeem(form) : form.get('refresh_token') === tokens.refresh;
    if (!isValid)
      return { status: 400, body: { error: 'invalid_request', error_description: 'Value passed was invalid.' } };
    tokens.count += 1;
    tokens.access = `X-access-S3cret-${tokens.count}`;
    tokens.refresh = `X-refresh-S3cret-${tokens.count}`;
    const { access: access_token, refresh: refresh_token } = tokens;
    return { body: { token_type: 'bearer', expires_in: 7_200, access_token, refresh_token, scope: 'tweet.read' } };
  }

  function answer(request: SeenRequest) {
    const { method, path, query, headers } = request;
    if (path === '/i/oauth2/authorize') return authorization.authorize(request);
    if (path === '/2/oauth2/token') return answerToken(request);
    check(method === 'GET', 'method');
    check(/^Bearer \S+$/.test(headers.authorization ?? ''), 'Authorization');
    if (headers.authorization !== `Bearer ${tokens.access}`) return { status: 401, body: { title: 'Unauthorized' } };
    if (path === '/2/users/me') {
      checkParameters(query, {});
      return { body: { data: { id: '77', name: 'Ada', username: 'ada' } } };
    }
    const name = /^\/2\/users\/77\/(tweets|liked_tweets|bookmarks)$/.exec(path)?.[1] as keyof typeof ranges | undefined;
    check(name !== undefined, 'no such operation');
    const [list, min] = ranges[name];
    checkParameters(query, {
      max_results: /^\d+$/,
      pagination_token: /^t\d+$/,
      'tweet.fields': fieldList,
      expansions: /^author_id$/,
      'user.fields': /^username$/,
      ...(name === 'tweets' && { since_id: /^\d{1,19}$/ }),
    });
    const size = checkRange(query, 'max_results', min, 100);
    const from = Number(query.get('pagination_token')?.slice(1) ?? 0);
    const found = list.filter(({ id }) => BigInt(id) > BigInt(query.get('since_id') ?? -1));
    const data = found.slice(from, from + size).map((post) => ({
      text: `Post ${post.id}`,
      author_id: '77',
      created_at: '2026-01-02T10:00:00.000Z',
      lang: 'en',
      ...post,
    }));
    const meta = {
      result_count: data.length,
      ...(data.length > 0 && { newest_id: data[0]!.id, oldest_id: data.at(-1)!.id }),
      ...(from + size < found.length && { next_token: `t${from + size}` }),
    };
    const includes = { users: [{ id: '77', name: 'Ada', username: 'ada' }] };
    // Without entries, X leaves out `data`.
    return { body: data.length > 0 ? { data, includes, meta } : { meta } };
  }
  return { ...(await startService(answer)), tokens };
}
