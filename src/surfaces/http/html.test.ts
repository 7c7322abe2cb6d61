import fc from 'fast-check';
import { expect, test } from 'vitest';
import { html } from './status-page.ts';

test('whatever is put into a page stays text', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const page = html`<p title="${text}">${text}</p>`.html;
      expect(page.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
      expect(page.match(/"/g)).toHaveLength(2);
      expect(page).not.toContain("'");
    }),
  );
});

test('pages are made of pages; what is undefined is nothing', () => {
  expect(html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}${undefined}</ul>`.html).toBe(
    '<ul><li>1</li><li>2</li></ul>',
  );
});
