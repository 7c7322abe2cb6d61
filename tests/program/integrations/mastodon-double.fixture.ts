import { check, checkParameters, checkRange, type SeenRequest, startService } from './service-double.fixture.ts';

export interface SampleStatus {
  readonly id: string;
  readonly content?: unknown;
  readonly [field: string]: unknown;
}

export interface SampleLists {
  readonly posts: SampleStatus[];
  readonly likes: SampleStatus[];
  readonly bookmarks: SampleStatus[];
}

/** The documented methods of a Mastodon server for the lists of one account, each oldest first. */
export async function startMastodon(lists: SampleLists, token: string) {
  const byPath: Readonly<Record<string, readonly SampleStatus[]>> = {
    '/api/v1/accounts/42/statuses': lists.posts,
    '/api/v1/favourites': lists.likes,
    '/api/v1/bookmarks': lists.bookmarks,
  };
  let url = '';
  const toAnswer = (status: SampleStatus) => ({
    uri: `https://social.example/users/ada/statuses/${status.id}`,
    url: `https://social.example/@ada/${status.id}`,
    created_at: '2026-01-02T10:00:00.000Z',
    edited_at: null,
    account: { id: '42', acct: 'ada', username: 'ada' },
    content: `<p>Post ${status.id}</p>`,
    spoiler_text: '',
    visibility: 'public',
    language: 'en',
    in_reply_to_id: null,
    tags: [],
    reblog: null,
    ...status,
  });
  function answer({ method, path, query, headers }: SeenRequest) {
    check(method === 'GET', 'method');
    check(headers.authorization === `Bearer ${token}`, 'Authorization');
    if (path === '/api/v1/accounts/verify_credentials') {
      checkParameters(query, {});
      return { body: { id: '42', acct: 'ada', username: 'ada' } };
    }
    const list = byPath[path];
    check(list !== undefined, 'no such operation');
    checkParameters(query, { limit: /^\d+$/, min_id: /^\d+$/, max_id: /^\d+$/, since_id: /^\d+$/ });
    const size = checkRange(query, 'limit', 1, 40);
    // Places in the list are ids of their own, as those of favourites are.
    const from = Number(query.get('min_id') ?? 0);
    const page = list.map((status, at) => ({ status, place: at + 1 })).filter(({ place }) => place > from);
    const shown = page.slice(0, size).toReversed();
    const link = `<${url}${path}?max_id=${shown.at(-1)?.place}>; rel="next", <${url}${path}?limit=${size}&min_id=${shown[0]?.place}>; rel="prev"`;
    return { headers: shown.length > 0 ? { link } : {}, body: shown.map(({ status }) => toAnswer(status)) };
  }
  const double = await startService(answer);
  url = double.url;
  return double;
}
