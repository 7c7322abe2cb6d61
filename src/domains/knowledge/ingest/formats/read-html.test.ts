import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHtml } from './read-html.ts';

describe('HTML', () => {
  test('reads headings, paragraphs, lists, tables and code of the main part', () => {
    const html = `<!doctype html><html><head><title>Site | Hooks</title><style>p{}</style></head><body>
      <nav><ul><li>Home<li>Docs</ul></nav><header><h1>The site</h1></header>
      <main><h1 id="hooks">Hooks<a class="headerlink" href="#hooks">¶</a></h1>
      <p>A hook is a &lt;function&gt;&nbsp;that   runs.</p><script>var x = "<p>no</p>";</script>
      <ul><li>one</li><li><p>two <code>app.use</code></p></li></ul>
      <h2>Table</h2><table><tr><th>Name<th>Type<tr><td>a</td><td>string</td></tr></table>
      <pre class="x"><code class="language-ts">const a = <span>1</span> &amp;&amp; 2;
  indented</code></pre>
      <aside>Advert</aside></main><footer>Imprint</footer></body></html>`;
    expect(readHtml(html)).toEqual({
      title: 'Hooks',
      blocks: [
        { kind: 'heading', level: 1, anchor: 'hooks', title: 'Hooks' },
        { kind: 'text', text: 'A hook is a <function> that runs.' },
        { kind: 'text', text: '- one\n- two `app.use`' },
        { kind: 'heading', level: 2, anchor: undefined, title: 'Table' },
        { kind: 'text', text: 'Name | Type\na | string' },
        { kind: 'code', text: '```ts\nconst a = 1 && 2;\n  indented\n```' },
      ],
    });
  });

  test('falls back from the main part to the article, then to all but the margins, then to everything', () => {
    const textOf = (html: string) =>
      readHtml(html).blocks.map((block) => (block.kind === 'heading' ? block.title : block.text));
    expect(textOf('<nav>n</nav><article><header><h1>T</h1></header>a</article>b')).toEqual(['T', 'a']);
    expect(textOf('<div role="main"><p>a</p></div><p>b</p>')).toEqual(['a']);
    expect(textOf('<header>h</header><p>a</p><footer>f</footer>')).toEqual(['a']);
    expect(textOf('<nav>only this')).toEqual(['only this']);
    expect(readHtml('<title>T &amp; U</title><p>a').title).toBe('T & U');
  });

  test('uses a longer fence for code that contains fences', () => {
    expect(readHtml('<pre>```\nx\n```</pre>').blocks).toEqual([{ kind: 'code', text: '````\n```\nx\n```\n````' }]);
  });

  test('ends an unclosed heading at the next paragraph, but not at an inner element', () => {
    expect(readHtml('<h1>Broken<p>Some text.<p>More.<h2><div>Two</div></h2><p>End.').blocks).toEqual([
      { kind: 'heading', level: 1, anchor: undefined, title: 'Broken' },
      { kind: 'text', text: 'Some text.' },
      { kind: 'text', text: 'More.' },
      { kind: 'heading', level: 2, anchor: undefined, title: 'Two' },
      { kind: 'text', text: 'End.' },
    ]);
  });

  test('reads malformed HTML as text without throwing', () => {
    const piece = fc.constantFrom(
      '<',
      '>',
      '</',
      '<p',
      '<pre>',
      '</pre>',
      '<main>',
      '</div>',
      '<h2>',
      '"',
      "'",
      '=',
      '<!--',
      '-->',
      'word',
      '&lt;',
      '&#x1F600;',
      '&#xD800;',
      '<table>',
      '<td>',
      '<li>',
      '<script>',
      '</script>',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const block of readHtml(pieces.join('')).blocks) {
          const text = block.kind === 'heading' ? block.title : block.text;
          expect(text.isWellFormed()).toBe(true);
        }
      }),
    );
    for (const sign of ['<', '<div>', '<p', '</', '&', '<pre>', '<li>', '<a "', '<!--', '<title>']) {
      expect(readHtml(sign.repeat(100_000)).blocks).toBeDefined();
    }
  }, 60_000);
});
