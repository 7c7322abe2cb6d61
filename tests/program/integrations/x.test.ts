import { describe, expect, it } from 'vitest';
import { openConnected, stats } from './connected-program.fixture.ts';
import { expectLogin, startLogin } from './oauth-double.fixture.ts';
import { temporaryAnswers } from './service-double.fixture.ts';
import { clientId, startX, type XLists } from './x-double.fixture.ts';

const somePosts = (newest: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: String(newest - at) }));
const emptyLists = (): XLists => ({ posts: [], likes: [], bookmarks: [] });

async function connect(lists: XLists, secret?: object) {
  const home = await openConnected();
  home.guard('S3cret');
  const service = await startX(lists);
  const { access: access_token } = service.tokens;
  const file = home.secretFile(secret === undefined ? access_token : JSON.stringify({ access_token, ...secret }));
  await home.ask('connectors', 'add', 'x', service.url, '--secret-file', file);
  return { home, service };
}
const renewable = { refresh_token: 'X-refresh-S3cret-0', client_id: clientId };

describe('[IG72] posts of X', () => {
  it('come in with likes and bookmarks, each once', async () => {
    const lists = { posts: somePosts(1_012, 12), likes: somePosts(2_008, 8), bookmarks: somePosts(3_003, 3) };
    lists.posts[0] = Object.assign(lists.posts[0]!, {
      text: 'Long…',
      note_tweet: { text: 'Long and whole' },
      referenced_tweets: [{ type: 'quoted', id: '5' }],
    });
    const { home } = await connect(lists);
    expect(await home.sync('x')).toMatchObject({ status: 'completed', stats: stats(23) });
    const posts = await home.items('post', 'url');
    expect(posts['https://x.com/i/web/status/1012']).toMatchObject({
      text: 'Long and whole',
      author: 'ada',
      quotes: 'https://x.com/i/web/status/5',
      created_at: '2026-01-02T10:00:00.000Z',
    });
    expect(posts['https://x.com/i/web/status/2001']).toMatchObject({ is_liked: true });
    expect(posts['https://x.com/i/web/status/3001']).toMatchObject({ is_bookmarked: true });

    expect(await home.sync('x')).toMatchObject({ stats: stats(0) });
    lists.posts.unshift(...somePosts(1_030, 12));
    lists.likes.unshift(...somePosts(2_020, 6), { id: '1001' });
    expect(await home.sync('x', '--limit', '5')).toMatchObject({ status: 'completed', stats: stats(18, 1) });
    expect(await home.sync('x')).toMatchObject({ stats: stats(0) });
  });

  it('asks only for posts after the newest, and stops at likes that are known', async () => {
    const { home, service } = await connect({ ...emptyLists(), posts: somePosts(40, 20), likes: somePosts(90, 30) });
    await home.sync('x', '--limit', '5');
    const before = service.seen.length;
    await home.sync('x', '--limit', '5');
    const asked = service.seen.slice(before).map(({ path, query }) => [path.split('/').at(-1), query.get('since_id')]);
    expect(asked).toEqual([
      ['me', null],
      ['tweets', '40'],
      ['liked_tweets', null],
      ['bookmarks', null],
    ]);
  });

  it('[IG75] go on after kill -9 in the middle of a page, without loss and repetition', async () => {
    const { home, service } = await connect({ ...emptyLists(), posts: somePosts(40, 14), likes: somePosts(90, 6) });
    const ended = await home.syncKilledAt(service.holdAfter(3), 'x', '--limit', '5');
    expect(ended.stats).toEqual(stats(20));
    expect(Object.keys(await home.items('post', 'url'))).toHaveLength(20);
    expect(await home.sync('x')).toMatchObject({ stats: stats(0) });
  });

  it('come in with a renewed token if the old one has expired or was rejected', async () => {
    const { home, service } = await connect(
      { ...emptyLists(), posts: somePosts(9, 2) },
      { ...renewable, expires_at: 1 },
    );
    expect(service.tokens.count).toBe(1);
    expect(await home.sync('x')).toMatchObject({ status: 'completed', stats: stats(2) });
    expect(service.tokens.count).toBe(1);
    // X has revoked the access token; this machine does not know it.
    service.tokens.access = 'another';
    expect(await home.sync('x')).toMatchObject({ status: 'completed', stats: stats(0) });
    expect(service.tokens.count).toBe(2);
    service.tokens.refresh = 'another';
    service.tokens.access = 'another';
    expect(await home.sync('x')).toMatchObject({
      status: 'failed',
      error: { code: 'LOGIN_FAILED', message: expect.stringContaining('(invalid_request)') },
    });
  });

  it('keeps the new refresh token if the program is killed right after the renewal', async () => {
    const { home, service } = await connect({ ...emptyLists(), posts: somePosts(9, 2) }, renewable);
    service.tokens.access = 'another';
    // A request with the old token and the renewal are answered, the repeated request is not.
    const ended = await home.syncKilledAt(service.holdAfter(2), 'x');
    expect(ended.stats).toEqual(stats(2));
    expect(service.tokens.count).toBe(1);
  });

  it('[IG75] survive failures of the moment and rate limits, and a post that is not as documented', async () => {
    const { home, service } = await connect({ ...emptyLists(), posts: [{ id: '9' }, { id: '8', text: 7 }] });
    for (const answer of temporaryAnswers) service.answerNext(answer);
    const expected = { status: 'completed', stats: stats(1, 0, 1), problems: [{ id: '8' }] };
    expect(await home.sync('x')).toMatchObject(expected);
    const reset = String(Math.trunc(Date.now() / 1_000) + 900);
    service.answerNext({ status: 429, headers: { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': reset } });
    expect((await home.sync('x')).error?.message).toContain('allows no more requests for now');
  });

  it('[IG75] do not come in after a broken answer, which is named, nor in a loop', async () => {
    const { home, service } = await connect({ ...emptyLists(), posts: somePosts(9, 2) });
    await home.expectReasons(service, 'x');
    service.answerNext({ body: { data: { id: '77' } } });
    for (const next_token of ['t1', 't2', 't1'])
      service.answerNext({ body: { data: [{ id: '9', text: 'Nine' }], meta: { next_token, newest_id: '9' } } });
    const looped = await home.sync('x');
    expect(looped.error?.message).toContain('the same page again and again');
    expect(await home.sync('x', '--sync-type', 'initial')).toMatchObject({ stats: stats(1, 1) });
  });
});

describe('[IG74] the login with the browser', () => {
  it.each([undefined, 'app-S3cret'])('connects X with the secret %s of the app', async (clientSecret) => {
    const home = await openConnected();
    home.guard('S3cret');
    const service = await startX({ ...emptyLists(), likes: somePosts(9, 2) }, clientSecret);
    const more = clientSecret === undefined ? [] : ['--client-secret-file', home.secretFile(clientSecret)];
    await expectLogin(await startLogin(home, 'x', service.url, '--client-id', clientId, ...more));
    expect(await home.sync('x')).toMatchObject({ status: 'completed', stats: stats(2) });
    service.tokens.access = 'another';
    expect(await home.sync('x')).toMatchObject({ status: 'completed' });
    expect(service.tokens.count).toBe(2);
  });

  it('rejects an answer with a wrong state and waits for the right one', async () => {
    const home = await openConnected();
    const service = await startX(emptyLists());
    const login = await startLogin(home, 'x', service.url, '--client-id', clientId);
    const redirect = login.url.searchParams.get('redirect_uri')!;
    for (const query of ['?code=stolen', '?code=stolen&state=guess', '?error=access_denied&state='])
      expect(await login.visit(redirect + query)).toMatchObject({ status: 400 });
    expect(await login.visit(redirect.replace('callback', 'other'))).toMatchObject({ status: 404 });
    await expectLogin(login);
  });

  it('stores nothing if the access is denied or not decided in time, or the code is rejected', async () => {
    const home = await openConnected();
    const service = await startX(emptyLists());
    const words = ['x', service.url, '--client-id', clientId] as const;
    const denied = await startLogin(home, ...words);
    const state = denied.url.searchParams.get('state');
    await denied.visit(`${denied.url.searchParams.get('redirect_uri')}?error=access_denied&state=${state}`);
    expect((await denied.ended()).stderr).toContain('the access was not allowed (access_denied)');

    const late = await startLogin(home, ...words, '--wait-seconds', '1');
    expect((await late.ended()).stderr).toContain('the access was not allowed within 1 s');

    const rejected = await startLogin(home, ...words);
    const own = rejected.url.searchParams.get('state');
    await rejected.visit(`${rejected.url.searchParams.get('redirect_uri')}?code=invented&state=${own}`);
    const ended = await rejected.ended();
    expect([ended.code === 0, ended.stderr]).toEqual([false, expect.stringContaining('(invalid_request)')]);
    expect(await home.call('connectors_list')).toEqual({ connectors: [] });
  });

  it('uses the port that is registered at the service, if it is free', async () => {
    const home = await openConnected();
    const service = await startX(emptyLists());
    const login = await startLogin(home, 'x', service.url, '--client-id', clientId);
    const { port } = new URL(login.url.searchParams.get('redirect_uri')!);
    const words = ['connectors', 'add', 'x', service.url, '--client-id', clientId, '--redirect-port', port] as const;
    expect((await home.run(...words)).stderr).toContain(`port ${port} of this machine cannot be used`);
    await expectLogin(login);
    const second = await startLogin(home, ...words.slice(2));
    expect(second.url.searchParams.get('redirect_uri')).toBe(`http://127.0.0.1:${port}/callback`);
    await expectLogin(second);
  });

  it('names what is missing', async () => {
    const home = await openConnected();
    expect((await home.run('connectors', 'add', 'x')).stderr).toContain('--client-id');
    expect((await home.run('connectors', 'add', 'github', 'a/b', '--client-id', 'c')).stderr).toContain('no login');
    const instagram = await home.run('connectors', 'add', 'instagram', '--client-id', 'c');
    expect(instagram.stderr).toContain('the secret of the app');
  });
});
