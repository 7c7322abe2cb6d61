import { describe, expect, it } from 'vitest';
import { openConnected, stats } from './connected-program.fixture.ts';
import { appId, appSecret, type SampleMedia, startInstagram } from './instagram-double.fixture.ts';
import { expectLogin, startLogin } from './oauth-double.fixture.ts';
import { temporaryAnswers } from './service-double.fixture.ts';

const someMedia = (newest: number, count: number): SampleMedia[] =>
  Array.from({ length: count }, (_, at) => ({ id: String(newest - at) }));

const dayMs = 86_400_000;

/** With a token that needs no renewal, or another secret. */
async function connect(media: SampleMedia[], secret?: object) {
  const home = await openConnected();
  home.guard('S3cret');
  const service = await startInstagram(media);
  const given = secret ?? { access_token: service.tokens.long, expires_at: Date.now() + 50 * dayMs };
  await home.ask(
    ...['connectors', 'add', 'instagram', service.url, '--secret-file', home.secretFile(JSON.stringify(given))],
  );
  return { home, service };
}

describe('[IG73] media of Instagram', () => {
  it('come in once, page by page, and never from the host of a next link', async () => {
    const media = someMedia(30, 12);
    media[0] = { id: '30', caption: 'Tea at four', media_type: 'CAROUSEL_ALBUM' };
    media[1] = { id: '29', caption: undefined, media_type: 'VIDEO', media_product_type: 'REELS' };
    const { home, service } = await connect(media);
    expect(await home.sync('instagram')).toMatchObject({ status: 'completed', stats: stats(12) });
    const posts = await home.items('post', 'external_id');
    expect(posts['30']).toMatchObject({
      text: 'Tea at four',
      author: 'ada',
      url: 'https://www.instagram.com/p/30/',
      media_type: 'carousel_album',
      created_at: '2026-01-02T10:00:00.000Z',
    });
    expect(posts['29']).toMatchObject({ text: '', media_type: 'video', product: 'reels' });

    media.unshift(...someMedia(37, 7));
    expect(await home.sync('instagram', '--limit', '5')).toMatchObject({
      status: 'completed',
      stats: stats(7),
      pages: 2,
    });
    expect(await home.sync('instagram', '--limit', '5')).toMatchObject({ stats: stats(0), pages: 1 });
    expect(service.tokens.count).toBe(0);
  });

  it('[IG75] go on after kill -9 in the middle of a page, without loss and repetition', async () => {
    const { home, service } = await connect(someMedia(40, 14));
    const ended = await home.syncKilledAt(service.holdAfter(2), 'instagram', '--limit', '5');
    expect(ended).toMatchObject({ stats: stats(14), pages: 3 });
    expect(Object.keys(await home.items('post', 'external_id'))).toHaveLength(14);
  });

  it('come in with a renewed token if the end of the old one is near or unknown', async () => {
    const bare = { access_token: 'IG-long-S3cret-0' };
    const { home, service } = await connect(someMedia(9, 2), bare);
    expect(service.tokens.count).toBe(1);
    // Not more than once a day.
    expect(await home.sync('instagram')).toMatchObject({ status: 'completed', stats: stats(2) });
    expect(service.tokens.count).toBe(1);
    service.tokens.long = 'another';
    expect(await home.sync('instagram')).toMatchObject({ status: 'failed', error: { code: 'LOGIN_FAILED' } });
  });

  it('come in with a token that is too young to be renewed', async () => {
    const home = await openConnected();
    const service = await startInstagram(someMedia(9, 2));
    service.tokens.isYoung = true;
    const file = home.secretFile(service.tokens.long);
    await home.ask('connectors', 'add', 'instagram', service.url, '--secret-file', file);
    expect(await home.sync('instagram')).toMatchObject({ status: 'completed', stats: stats(2) });
    expect(service.tokens.count).toBe(0);
  });

  it('[IG75] survive failures of the moment, limits, and an entry that is not as documented', async () => {
    const { home, service } = await connect([{ id: '3' }, { id: '2', timestamp: 'yesterday' }, { id: '1' }]);
    service.answerNext({ status: 400, body: { error: { message: 'limit', type: 'OAuthException', code: 4 } } });
    expect((await home.sync('instagram')).error?.message).toContain('allows no more requests for now (code 4)');
    for (const answer of temporaryAnswers) service.answerNext(answer);
    const expected = { status: 'completed', stats: stats(2, 0, 1), problems: [{ id: '2' }] };
    expect(await home.sync('instagram')).toMatchObject(expected);
  });

  it('[IG75] do not come in after a broken answer, which is named, nor in a loop', async () => {
    const { home, service } = await connect(someMedia(9, 2));
    await home.expectReasons(service, 'instagram');
    for (const after of ['a1', 'a2', 'a1'])
      service.answerNext({ body: { data: [{ id: '9' }], paging: { cursors: { after }, next: 'https://x.example' } } });
    const looped = await home.sync('instagram');
    expect(looped.error?.message).toContain('the same page again and again');
    expect(await home.sync('instagram', '--sync-type', 'initial')).toMatchObject({ stats: stats(2) });
  });
});

describe('[IG74] the login with the browser at Instagram', () => {
  it('stores a token for 60 days', async () => {
    const home = await openConnected();
    home.guard('S3cret');
    const service = await startInstagram(someMedia(9, 3));
    const app = ['--client-id', appId, '--client-secret-file', home.secretFile(appSecret)];
    await expectLogin(await startLogin(home, 'instagram', service.url, ...app));
    expect(await home.sync('instagram')).toMatchObject({ status: 'completed', stats: stats(3) });
    expect(service.tokens.count).toBe(1);
  });
});
