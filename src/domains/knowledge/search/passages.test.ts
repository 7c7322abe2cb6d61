import fc from 'fast-check';
import { expect, it } from 'vitest';
import { estimateTokens } from '#kernel/text/estimate-tokens.ts';
import { cutBlocks, toPassages } from './passages.ts';

const fence = '```ts\nconst a = 1\n\nconst b = 2\n```';
const text = `First paragraph.\n\n${fence}\n\nLast paragraph.`;

it('returns whole texts while they fit, in order', () => {
  const sections = ['One short text.', 'Another short text.', 'A third one.'].map((one) => ({ text: one }));
  const needed = sections.map((section) => estimateTokens(section.text));
  const upTo = (count: number) => needed.slice(0, count).reduce((sum, tokens) => sum + tokens, 0);
  const count = (tokens: number) => toPassages(sections, tokens).length;
  expect([0, upTo(1) - 1, upTo(1), upTo(2) - 1, upTo(2), upTo(3)].map(count)).toEqual([0, 0, 1, 1, 2, 3]);
  expect(toPassages(sections, upTo(2)).every(({ cut }) => cut === undefined)).toBe(true);
  expect(toPassages([], 100)).toEqual([]);
});

it('cuts only the first text, between paragraphs and code blocks', () => {
  const withFence = `First paragraph.\n\n${fence}`;
  expect(cutBlocks(text, estimateTokens(text))).toBe(text);
  expect(cutBlocks(text, estimateTokens(text) - 1)).toBe(withFence);
  expect(cutBlocks(text, estimateTokens(withFence) - 1)).toBe('First paragraph.');
  expect(cutBlocks(text, 2)).toBeUndefined();
  expect(toPassages([{ text }], estimateTokens(withFence))).toEqual([{ text: withFence, cut: true }]);
  expect(toPassages([{ text: 'Short.' }, { text }], 10)).toEqual([{ text: 'Short.' }]);
});

it('returns the matching part of a section that is too long', () => {
  const wholeText = 'a part of some words, and further words';
  expect(toPassages([{ text: 'a part', wholeText }], 5)).toEqual([{ text: 'a part', cut: true }]);
  expect(toPassages([{ text: 'a part', wholeText }], estimateTokens(wholeText))).toEqual([{ text: wholeText }]);
});

it('never exceeds the budget and never opens a code block without closing it', () => {
  const block = fc.constantFrom('A paragraph of text.', fence, '~~~\nplain\n~~~', '- a\n- b');
  fc.assert(
    fc.property(fc.array(block, { minLength: 1 }), fc.nat(60), (blocks, tokens) => {
      const passages = toPassages([{ text: blocks.join('\n\n') }], tokens);
      for (const { text: shown } of passages) {
        expect(estimateTokens(shown)).toBeLessThanOrEqual(tokens);
        expect((shown.match(/^(?:```|~~~)/gm) ?? []).length % 2).toBe(0);
      }
    }),
  );
});
