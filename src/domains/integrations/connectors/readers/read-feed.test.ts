import { describe, expect, it } from 'vitest';
import { readFeed } from './read-feed.ts';

const address = 'https://blog.example/feeds/all.xml';
const read = (text: string) => readFeed({ text, address, url: address });

function entriesOf(text: string) {
  const result = read(text);
  if ('why' in result) throw new Error(result.why);
  return result;
}

const rss = (items: string, link = 'https://www.blog.example/'): string =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
    xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>A &amp;amp; B</title>
    <link>${link}</link><description>d</description>${items}</channel></rss>`;

const rdf = (namespace: string, items: string): string =>
  `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="${namespace}"
    xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Old</title><link>https://old.example/</link></channel>
    ${items}</rdf:RDF>`;

const atom = (entries: string, attributes = ''): string =>
  `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom" ${attributes}><title>Notes</title>
    <id>urn:uuid:60a76c80</id><updated>2026-01-01T00:00:00Z</updated><link href="https://notes.example/"/>
    <author><name>Feed author</name></author>${entries}</feed>`;

describe('a feed', () => {
  it('of RSS 2.0 has its entries with text, link, author, date and tags', () => {
    const { items, problems } = entriesOf(
      rss(`<item><title>Tea &amp;lt;3 &lt;b&gt;now&lt;/b&gt;</title><link>/tea?a=1&amp;b=2</link>
        <guid isPermaLink="false">post-1</guid><pubDate>Tue, 10 Jun 2003 04:00:00 GMT</pubDate>
        <dc:creator>Ada</dc:creator><category>drinks</category><description>short</description>
        <content:encoded><![CDATA[<p>Full &amp; long</p><script>x()</script>]]></content:encoded></item>
      <item><guid>https://www.blog.example/2</guid><author>bo@blog.example (Bo)</author><description>&lt;p&gt;Two</description></item>`),
    );
    expect(problems).toEqual([]);
    expect(items[0]).toEqual({
      kind: 'article',
      id: `${address} post-1`,
      fields: {
        title: 'Tea <3 now',
        url: 'https://www.blog.example/tea?a=1&b=2',
        author: 'Ada',
        text: 'Full & long',
        tags: ['drinks'],
        published_at: '2003-06-10T04:00:00.000Z',
        updated_at: undefined,
        feed: 'A & B',
        feed_url: address,
      },
    });
    expect(items[1]).toMatchObject({
      id: 'https://www.blog.example/2',
      fields: { url: 'https://www.blog.example/2', text: 'Two', author: expect.stringContaining('Bo') },
    });
  });

  it.each([
    [
      '0.91',
      '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.example/rss-0.91.dtd"><rss version="0.91"><channel><title>C</title><link>https://c.example/</link><item><title>I</title><link>https://c.example/1</link></item></channel></rss>',
    ],
    [
      '0.92',
      '<rss version="0.92"><channel><title>C</title><link>https://c.example/</link><item><title>I</title><link>1</link></item></channel></rss>\n<!-- made by a cache -->',
    ],
    [
      '0.90',
      rdf('http://my.netscape.com/rdf/simple/0.9/', '<item><title>I</title><link>https://c.example/1</link></item>'),
    ],
    [
      '1.0',
      rdf(
        'http://purl.org/rss/1.0/',
        '<item rdf:about="https://c.example/1"><title>I</title><link>https://c.example/1</link><dc:date>2026-01-01</dc:date></item>',
      ),
    ],
  ])('of RSS %s is identified by links', (_version, text) => {
    expect(entriesOf(text).items).toMatchObject([{ id: 'https://c.example/1', fields: { title: 'I' } }]);
  });

  it('of Atom has plain and marked texts, and links relative to xml:base', () => {
    const { items } = entriesOf(
      atom(
        `<entry><id>tag:notes.example,2026:1</id><title>1 &lt; 2</title><link rel="self" href="self"/><link href="x.html"/>
          <published>2026-01-01T10:00:00+02:00</published><updated>2026-01-02T00:00:00Z</updated>
          <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Hi <b>there</b></div></content></entry>
        <entry xml:base="deep/"><id>2</id><title type="html">&lt;i&gt;Two&lt;/i&gt;</title><link href="y"/>
          <author><name>Bo</name></author><summary>&lt;p&gt;</summary></entry>`,
        'xml:base="https://base.example/a/"',
      ),
    );
    expect(items).toMatchObject([
      {
        id: 'tag:notes.example,2026:1',
        fields: {
          ...{ title: '1 < 2', url: 'https://base.example/a/x.html', text: 'Hi there', author: 'Feed author' },
          ...{ published_at: '2026-01-01T08:00:00.000Z', updated_at: '2026-01-02T00:00:00.000Z', feed: 'Notes' },
        },
      },
      {
        id: `${address} 2`,
        fields: { title: 'Two', url: 'https://base.example/a/deep/y', text: '<p>', author: 'Bo' },
      },
    ]);
    expect(entriesOf(atom('<entry><id>1</id><link href="z"/></entry>')).items[0]).toMatchObject({
      fields: { url: 'https://blog.example/feeds/z' },
    });
  });

  it('in JSON is read like the others', () => {
    const feed = {
      ...{ version: 'https://jsonfeed.org/version/1.1', title: 'J', home_page_url: 'https://j.example/' },
      items: [
        { id: 1, url: '/a', content_html: '<p>A</p>', authors: [{ name: 'Ada' }], tags: ['x'] },
        { id: 'https://j.example/b', content_text: '<b>' },
      ],
    };
    expect(entriesOf(JSON.stringify(feed)).items).toMatchObject([
      { id: `${address} 1`, fields: { url: 'https://j.example/a', text: 'A', author: 'Ada', tags: ['x'] } },
      { id: 'https://j.example/b', fields: { text: '<b>' } },
    ]);
  });

  it('may have entries without id, with wrong dates and with links of other schemes', () => {
    const { items, problems } = entriesOf(
      rss(`<item><title>No id</title></item>
        <item><guid isPermaLink="false">3</guid><link>javascript:alert(1)</link><pubDate>yesterday</pubDate></item>`),
    );
    expect(problems).toEqual([{ id: 'No id', why: 'it has neither id nor link' }]);
    expect(items).toHaveLength(1);
    expect(items[0]!.fields).toMatchObject({ url: undefined, published_at: undefined });
  });

  it('may be empty', () => {
    expect(entriesOf(rss(''))).toEqual({ items: [], problems: [] });
  });
});

describe('what is not a feed', () => {
  const bomb = `<!DOCTYPE b [<!ENTITY a "${'x'.repeat(100)}">${[...'bcdefghi'].map((name, at) => `<!ENTITY ${name} "${`&${'abcdefghi'[at]};`.repeat(10)}">`).join('')}]>`;

  it.each([
    ['a web page', '<!doctype html><html><body>hi</body></html>', 'this is a web page that names no feed'],
    [
      'a web page with feeds',
      `<html><head><link rel="alternate" type="application/rss+xml" href="/rss"><LINK TYPE='application/atom+xml' href='https://x.example/atom' REL='alternate'><link rel=alternate type=text/html href=/de></head>`,
      'this is a web page; connect its feed instead: https://blog.example/rss or https://x.example/atom',
    ],
    ['other XML', '<?xml version="1.0"?><svg/>', 'it is neither RSS, Atom nor JSON Feed'],
    ['other JSON', '{"a":1}', 'it is neither RSS, Atom nor JSON Feed'],
    ['nothing', '', 'it is neither RSS, Atom nor JSON Feed'],
    ['bytes', '\u{1}PNG\u{0}', 'it is neither RSS, Atom nor JSON Feed'],
    ['a text that ends in a tag', rss('<item><title>B</ti').slice(0, -17), 'its XML or JSON is broken'],
    ['a text that ends in a list', rss('<item><guid>1</guid></item>').slice(0, -6), 'the feed ends in the middle'],
    ['JSON that ends', '{"version":"https://jsonfeed.org/version/1","items":[{"id"', expect.any(String)],
    [
      'an external entity',
      `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss('<item><title>&x;</title></item>').slice(21)}`,
      'its XML or JSON is broken',
    ],
  ])('is explained: %s', (_name, text, why) => {
    expect(read(text)).toEqual({ why });
  });

  it('does not grow: entities of the document are not expanded', () => {
    const result = read(bomb + rss('<item><guid>1</guid><title>&i;&i;</title></item>').slice(21));
    expect(JSON.stringify(result).length).toBeLessThan(2_000);
  });
});
