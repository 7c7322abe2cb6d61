import { describe, expect, it } from 'vitest';
import { htmlToText } from './html-text.ts';

describe('the text of HTML', () => {
  it.each([
    ['<p>One<br>two<br />three</p><p>Four &amp; five</p>', 'One\ntwo\nthree\n\nFour & five'],
    [
      '<a href="https://x.example/a?b=1&amp;c"><span class="invisible">https://</span>x.example</a>',
      'https://x.example',
    ],
    ['&lt;b&gt; &quot;q&quot; &#39;s&#39; &#x1F600; &nbsp;&copy;', '<b> "q" \'s\' \u{1F600}  ©'],
    ['&#xD800;&#0;&#9999999;', '\u{FFFD}\u{FFFD}\u{FFFD}'],
    ['1 < 2', '1 < 2'],
    ['<div>\n  <p>One\n    line</p>\n  <pre>a\n  b</pre>\n</div>', 'One line\n\na\n  b'],
    ['a<!-- 1 > 0 --><script>if (a < b) c()</script><STYLE>p{}</STYLE> b', 'a b'],
    ['<img alt="a > b" src=x>c &unknown; &mdash;', 'c &unknown; —'],
    ['', ''],
  ])('%s', (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it('decodes no entity twice', () => {
    expect(htmlToText('&amp;lt;script&amp;gt;')).toBe('&lt;script&gt;');
  });
});
