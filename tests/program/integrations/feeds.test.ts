import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { engines } from '../truth/truth-program.fixture.ts';
import { openConnected, stats } from './connected-program.fixture.ts';
import type { EngineName } from './connector-program.fixture.ts';
import { brokenTransports, type ServiceAnswer, startService, temporaryAnswers } from './service-double.fixture.ts';

interface Article {
  readonly id: string;
  readonly title?: string;
  readonly text?: string;
}

const toItem = ({ id, title = `Title ${id}`, text = `Text ${id}` }: Article): string =>
  `<item><guid isPermaLink="false">${id}</guid><title>${title}</title><link>/posts/${id}</link>
   <pubDate>Thu, 01 Jan 2026 10:00:00 GMT</pubDate><description>&lt;p&gt;${text}&lt;/p&gt;</description></item>`;
const toRss = (articles: readonly Article[]): string =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>https://news.example/</link>
   ${articles.map(toItem).join('')}</channel></rss>`;
const some = (count: number): Article[] => Array.from({ length: count }, (_, at) => ({ id: String(at + 1) }));

/** A feed of articles that answers conditional requests as RFC 9110 says. */
async function connect(articles: Article[], engine?: EngineName, validator: 'etag' | 'last-modified' = 'etag') {
  const home = await openConnected(engine);
  let version = 1;
  const service = await startService(({ headers }): ServiceAnswer => {
    const sent = validator === 'etag' ? `W/"v${version}"` : `Thu, 01 Jan 2026 00:00:0${version} GMT`;
    const asked = validator === 'etag' ? headers['if-none-match'] : headers['if-modified-since'];
    if (asked === sent) return { status: 304, headers: { [validator]: sent }, body: '' };
    return { headers: { 'content-type': 'application/rss+xml', [validator]: sent }, body: toRss(articles) };
  });
  await home.ask('connectors', 'add', 'rss', `${service.url}/feed.xml`);
  return {
    home,
    service,
    touch() {
      version += 1;
    },
  };
}

const serveText = (answer: () => ServiceAnswer) => startService(answer);

describe.each(engines)('[IG90] a feed, on %s', (engine) => {
  it('is followed: new entries come in, changed ones are updated, nothing twice', async () => {
    const articles = some(3);
    const { home, service, touch } = await connect(articles, engine);
    expect(await home.sync('rss')).toMatchObject({ status: 'completed', stats: stats(3) });
    expect((await home.items('article', 'title'))['Title 2']).toMatchObject({
      url: 'https://news.example/posts/2',
      text: 'Text 2',
      published_at: '2026-01-01T10:00:00.000Z',
      feed: 'News',
      feed_url: `${service.url}/feed.xml`,
      provider: 'rss',
    });

    const before = service.seen.length;
    expect(await home.sync('rss')).toMatchObject({ status: 'completed', stats: stats(0), pages: 1 });
    expect(service.seen).toHaveLength(before + 1);
    // Another ETag for the same entries.
    touch();
    expect(await home.sync('rss')).toMatchObject({ stats: stats(0) });

    // The same date: many feeds have no date of the last change.
    articles[1] = { id: '2', title: 'Corrected' };
    articles.unshift({ id: '9' }, { id: '9', title: 'Twice in the feed' });
    touch();
    expect(await home.sync('rss')).toMatchObject({ status: 'completed', stats: stats(1, 1) });
    articles[3] = { id: '2', title: 'Corrected again' };
    articles.pop();
    touch();
    expect(await home.sync('rss')).toMatchObject({ status: 'completed', stats: stats(0, 1) });
    const titles = Object.keys(await home.items('article', 'title')).sort();
    expect(titles).toEqual(['Corrected again', 'Title 1', 'Title 3', 'Twice in the feed']);
    expect(await home.sync('rss', '--sync-type', 'initial')).toMatchObject({ stats: stats(0) });
  });

  it('goes on after kill -9 without loss and repetition', async () => {
    const { home, service, touch } = await connect(some(3), engine);
    await home.sync('rss');
    touch();
    expect(await home.syncKilledAt(service.holdAfter(0), 'rss')).toMatchObject({ stats: stats(0) });
    expect(Object.keys(await home.items('article', 'title'))).toHaveLength(3);
  });
});

describe('[IG90] a feed', () => {
  it('comes in page by page, and a sync of few pages goes on in the next', async () => {
    const { home, service } = await connect(some(7));
    expect(await home.sync('rss', '--limit', '2', '--max-pages', '2')).toMatchObject({ stats: stats(4), pages: 2 });
    expect(service.seen.at(-1)!.headers['if-none-match']).toBeUndefined();
    expect(await home.sync('rss', '--limit', '2')).toMatchObject({ stats: stats(3), pages: 2 });
    expect(await home.sync('rss')).toMatchObject({ stats: stats(0) });
    expect(service.seen.at(-1)!.headers['if-none-match']).toBe('W/"v1"');
  });

  it('is asked with Last-Modified if it has no ETag', async () => {
    const { home, service } = await connect(some(1), 'SQLite', 'last-modified');
    await home.sync('rss');
    expect(await home.sync('rss')).toMatchObject({ status: 'completed', stats: stats(0) });
    expect(service.seen.at(-1)!.headers['if-modified-since']).toBe('Thu, 01 Jan 2026 00:00:01 GMT');
  });

  it('of any format and character set is read, whatever its content type', async () => {
    const bodies: ServiceAnswer[] = [
      { headers: { 'content-type': 'text/html' }, body: toRss([{ id: 'rss' }]) },
      {
        headers: { 'content-type': 'text/plain' },
        body: '<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><id>urn:atom</id><title>Title atom</title><updated>2026-01-01T00:00:00Z</updated></entry></feed>',
      },
      { body: { version: 'https://jsonfeed.org/version/1.1', title: 'J', items: [{ id: 'j', title: 'Title json' }] } },
    ];
    const home = await openConnected();
    for (const [at, answer] of bodies.entries()) {
      const { url } = await serveText(() => answer);
      const { connector_id } = await home.ask<{ connector_id: string }>('connectors', 'add', 'rss', `${url}/${at}`);
      expect(await home.sync('rss', '--connector-id', connector_id)).toMatchObject({ stats: stats(1) });
    }
    const latin = await serveText(() => ({ body: '' }));
    const bytes = Buffer.from(toRss([{ id: 'c', title: 'Café' }]).replace('?>', ' encoding="ISO-8859-1"?>'), 'latin1');
    for (let n = 0; n < 2; n += 1) latin.answerNext((response) => response.end(bytes));
    const { connector_id } = await home.ask<{ connector_id: string }>('connectors', 'add', 'rss', latin.url);
    await home.sync('rss', '--connector-id', connector_id);
    expect(Object.keys(await home.items('article', 'title')).sort()).toEqual([
      ...['Café', 'Title atom', 'Title json', 'Title rss'],
    ]);
  });

  it('survives failures of the moment, and a redirect', async () => {
    const { home, service } = await connect(some(1));
    service.answerNext({ status: 302, headers: { location: '/moved.xml' } });
    for (const answer of temporaryAnswers.slice(0, 4)) service.answerNext(answer);
    expect(await home.sync('rss')).toMatchObject({ status: 'completed', stats: stats(1) });
    expect(service.seen.at(-1)!.path).toBe('/feed.xml');
  });

  it('that is broken ends the sync with its reason, and stores nothing', async () => {
    const { home, service } = await connect(some(2));
    const rss = toRss(some(2));
    const entities = `<!DOCTYPE b [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "${'&a;'.repeat(1_000)}"><!ENTITY c SYSTEM "file:///etc/passwd">]>`;
    await home.expectReasons(service, 'rss', [
      ...brokenTransports,
      [
        'a page with a feed',
        /this is a web page; connect its feed instead: http:\/\/127\.0\.0\.1:\d+\/rss/,
        {
          headers: { 'content-type': 'text/html' },
          body: '<html><head><link rel="alternate" type="application/rss+xml" href="/rss">',
        },
      ],
      ['a page', /a web page that names no feed/, { body: '<!doctype html><html><body>Not found' }],
      ['JSON', /neither RSS, Atom nor JSON Feed/, { body: { error: 'no' } }],
      ['a compressed text', /neither RSS, Atom nor JSON Feed/, (response) => void response.end(gzipSync(rss))],
      ['half an entry', /is broken/, { body: rss.slice(0, rss.lastIndexOf('</title>') + 4) }],
      ['half a list', /ends in the middle/, { body: rss.slice(0, rss.lastIndexOf('</channel>')) }],
      ['entities', /is broken/, { body: entities + rss.slice(21).replace('Text 1', '&c;&b;&b;&b;') }],
      [
        'a text that takes long',
        /Reading the answer .* was stopped/,
        { body: rss.replace('<item>', '< '.repeat(6_000_000)) },
      ],
      [
        'an unknown character set',
        /its character set klingon is unknown/,
        { headers: { 'content-type': 'text/xml; charset=klingon' }, body: rss },
      ],
      ['a missing page', /does not know this address \(HTTP 404\)/, { status: 404, body: '' }],
      ['304 that was not asked for', /answered with HTTP 304/, { status: 304, body: '' }],
    ]);
    expect(await home.items('article', 'title')).toEqual({});
    expect(await home.sync('rss')).toMatchObject({ status: 'completed', stats: stats(2) });
  });

  it('is checked when it is connected', async () => {
    const home = await openConnected();
    const page = await serveText(() => ({ body: '<html><head></head></html>' }));
    expect((await home.run('connectors', 'add', 'rss', page.url)).stderr).toContain('names no feed');
    expect((await home.run('connectors', 'add', 'rss', 'blog.example')).stderr).toContain(
      'pass the address of the feed',
    );
    expect((await home.run('connectors', 'add', 'rss', 'http://169.254.169.254/')).stderr).toContain(
      'not a public host',
    );
    expect(await home.call('connectors_list')).toEqual({ connectors: [] });
  });
});
