import { describe, expect, it } from 'vitest';
import { openConnected, stats } from './connected-program.fixture.ts';
import { type SampleLists, startMastodon } from './mastodon-double.fixture.ts';
import { temporaryAnswers } from './service-double.fixture.ts';

const token = 'mastodonS3cretTokenOfTheTest';
const someStatuses = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: String(first + at) }));
const emptyLists = (): SampleLists => ({ posts: [], likes: [], bookmarks: [] });

async function connect(lists: SampleLists, ...more: readonly string[]) {
  const home = await openConnected();
  home.guard(token);
  const service = await startMastodon(lists, token);
  await home.ask(...['connectors', 'add', 'mastodon', service.url, '--secret-file', home.secretFile(token)], ...more);
  return { home, service };
}

describe('[IG71] posts of Mastodon', () => {
  it('come in with likes and bookmarks as plain text, each once', async () => {
    const lists = { posts: someStatuses(1, 5), likes: someStatuses(101, 3), bookmarks: someStatuses(201, 2) };
    lists.posts[0] = Object.assign(lists.posts[0]!, {
      content: '<p>Tea &amp; biscuits<br>at <a href="https://x.example">x.example</a></p><p>Soon</p>',
      tags: [{ name: 'tea' }],
    });
    lists.posts[1] = Object.assign(lists.posts[1]!, {
      content: '',
      reblog: {
        ...{
          id: '9',
          uri: 'https://far.example/9',
          url: 'https://far.example/@bo/9',
          account: { acct: 'bo@far.example' },
        },
        ...{ content: '<p>Far</p>', created_at: '2026-01-01T00:00:00.000Z' },
      },
    });
    const { home } = await connect(lists);
    expect(await home.sync('mastodon')).toMatchObject({ status: 'completed', stats: stats(10) });
    const posts = await home.items('post', 'url');
    expect(posts['https://social.example/@ada/1']).toMatchObject({
      text: 'Tea & biscuits\nat x.example\n\nSoon',
      author: 'ada',
      tags: ['tea'],
      created_at: '2026-01-02T10:00:00.000Z',
    });
    expect(posts['https://far.example/@bo/9']).toMatchObject({
      text: 'Far',
      author: 'bo@far.example',
      boosted_by: 'ada',
    });
    expect(posts['https://social.example/@ada/101']).toMatchObject({ is_liked: true });
    expect(posts['https://social.example/@ada/201']).toMatchObject({ is_bookmarked: true });

    expect(await home.sync('mastodon')).toMatchObject({ stats: stats(0) });
    // An older post is liked later.
    lists.likes.push({ id: '3' }, { id: '50' });
    lists.posts.push({ id: '6' });
    expect(await home.sync('mastodon')).toMatchObject({ status: 'completed', stats: stats(2, 1) });
    expect((await home.items('post', 'url'))['https://social.example/@ada/3']).toMatchObject({ is_liked: true });
  });

  it('[IG75] come in page by page, and go on after kill -9 without loss and repetition', async () => {
    const lists = { ...emptyLists(), posts: someStatuses(1, 12), likes: someStatuses(101, 7) };
    const { home, service } = await connect(lists);
    // The account, two pages, and the third is never answered.
    const ended = await home.syncKilledAt(service.holdAfter(3), 'mastodon', '--limit', '5');
    expect(ended.stats).toEqual(stats(19));
    expect(Object.keys(await home.items('post', 'url'))).toHaveLength(19);
  });

  it('come in only from the chosen parts', async () => {
    const lists = { posts: someStatuses(1, 2), likes: someStatuses(11, 2), bookmarks: someStatuses(21, 3) };
    const { home, service } = await connect(lists, '--parts', 'bookmarks');
    expect(await home.sync('mastodon')).toMatchObject({ stats: stats(3) });
    expect(new Set(service.seen.map(({ path }) => path))).toEqual(new Set(['/api/v1/bookmarks']));
    const wrong = await home.run('connectors', 'add', 'mastodon', service.url, '--parts', 'toots');
    expect(wrong.stderr).toContain('bookmarks');
  });

  it('[IG75] survive failures of the moment, and a post that is not as documented', async () => {
    const lists = { ...emptyLists(), posts: [{ id: '1' }, { id: '2', content: 7 }, { id: '3' }] };
    const { home, service } = await connect(lists);
    for (const answer of temporaryAnswers) service.answerNext(answer);
    expect(await home.sync('mastodon')).toMatchObject({
      status: 'completed',
      stats: stats(2, 0, 1),
      problems: [{ why: expect.stringContaining('content') }],
    });
  });

  it('[IG75] do not come in after a broken answer, which is named, nor in a loop', async () => {
    const { home, service } = await connect({ ...emptyLists(), posts: someStatuses(1, 2) });
    await home.expectReasons(service, 'mastodon');
    const loop = (place: string) =>
      service.answerNext({
        headers: { link: `<${service.url}/api/v1/x?min_id=${place}>; rel="prev"` },
        body: [{ id: '1' }],
      });
    service.answerNext({ body: { id: '42' } });
    for (const place of ['7', '8', '7']) loop(place);
    const looped = await home.sync('mastodon');
    expect(looped).toMatchObject({ status: 'failed', stats: stats(0, 0, 2) });
    expect(looped.error?.message).toContain('the same page again and again');
    service.answerNext({ body: { id: '42' } });
    service.answerNext({ body: [{ id: '1' }] });
    expect((await home.sync('mastodon')).error?.message).toContain('did not name the next page');
    expect(await home.sync('mastodon', '--sync-type', 'initial')).toMatchObject({ stats: stats(2) });
  });

  it('cannot be connected without a token', async () => {
    const home = await openConnected();
    expect((await home.run('connectors', 'add', 'mastodon', 'https://social.example')).stderr).toContain(
      'read:statuses',
    );
    expect((await home.run('connectors', 'add', 'mastodon', 'social.example')).stderr).toContain('pass the server');
  });
});
