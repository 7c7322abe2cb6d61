import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { toCard } from '#kernel/tool/card.ts';
import { html, renderStatusPage, type StatusFacts, toDurationText } from './status-page.ts';

const card = toCard(
  {
    name: 'x/run',
    title: 'X',
    summary: '<script>alert(1)</script>',
    guide: { when: [] },
    effect: 'read',
    faults: [],
    input: z.strictObject({}),
    output: z.object({}),
    run: () => ({}),
  },
  'x"><img src=x>',
  'numeric',
);

const facts: StatusFacts = {
  version: '1.0.0',
  uptimeMs: 1,
  dataFolder: '/data/<b>',
  unserved: [{ file: '<b>.json', problem: 'not <b>' }],
  readiness: { ok: false, checks: { store: 'a & b' } },
  cards: [card],
  stats: [],
  metricsPath: undefined,
  mcpUrl: 'http://localhost:1/mcp',
  needsKey: true,
  stdioCommand: ['node', 'fourfold.js'],
};

test('escapes texts of tools, paths and checks', () => {
  const page = renderStatusPage(facts);
  expect(page).not.toMatch(/<script|<img|<b>/);
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).toContain('a &amp; b');
  expect(page).toContain('not ready');
});

test('lists instruction files that are not served, up to a limit, and only if there are any', () => {
  expect(renderStatusPage(facts)).toContain('not &lt;b&gt;');
  expect(renderStatusPage({ ...facts, unserved: [] })).not.toContain('not served');
  const many = Array.from({ length: 60 }, (_, i) => ({ file: `f${i}.json`, problem: 'a folder' }));
  const page = renderStatusPage({ ...facts, unserved: many });
  expect(page).toContain('And 10 more.');
  expect(page).not.toContain('f50.json');
});

test('shows a placeholder for the key only where a key is needed', () => {
  expect(renderStatusPage(facts)).toContain('Bearer YOUR_KEY');
  const open = renderStatusPage({ ...facts, needsKey: false });
  expect(open).not.toMatch(/YOUR_KEY|Authorization|input:/);
});

test('shows the uptime in its two largest units', () => {
  const minute = 60_000;
  expect([0, 59_999, minute, 61 * minute, 25 * 60 * minute].map(toDurationText)).toEqual([
    '0 s',
    '59 s',
    '1 min',
    '1 h 1 min',
    '1 d 1 h',
  ]);
});

test('escapes any text that is put into a page', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const page = html`<p title="${text}">${text}</p>`.html;
      expect(page.match(/[<>]/g)).toEqual(['<', '>', '<', '>']);
      expect(page.match(/"/g)).toHaveLength(2);
      expect(page).not.toContain("'");
    }),
  );
});

test('nests pages, and renders undefined as nothing', () => {
  expect(html`<ul>${[1, 2].map((n) => html`<li>${n}</li>`)}${undefined}</ul>`.html).toBe(
    '<ul><li>1</li><li>2</li></ul>',
  );
});
