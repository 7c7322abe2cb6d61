import { expect, test } from 'vitest';
import { z } from 'zod';
import { cardFixture } from './card.fixture.ts';
import { findDescriptionViolations, findExampleViolations, findGuideViolations } from './guides.ts';
import { listTools } from './listing.ts';
import { loadCards, loadToolsets } from './toolsets.ts';

test('every tool says what it does and when, shortly', async () => {
  expect(findGuideViolations(await loadCards())).toEqual([]);
});

test('every description is listed whole', async () => {
  expect(findDescriptionViolations(listTools(await loadCards(), 'all').tools)).toEqual([]);
});

test('every example is accepted by its own tool', async () => {
  const tools = (await loadToolsets()).flatMap((toolset) => toolset.tools);
  expect(findExampleViolations(tools)).toEqual([]);
});

const guide = { when: ['a pad is worth keeping'], example: {} };

test.for([
  ['its title is no title', { title: '' }],
  ['its title is no title', { title: 'Keeps a pad.' }],
  ['its title is no title', { title: 'x'.repeat(61) }],
  ['its summary is no short sentence', { summary: 'keeps a pad.' }],
  ['its summary is no short sentence', { summary: 'Keeps a pad' }],
  ['its summary is no short sentence', { summary: `${'X'.repeat(200)}.` }],
  ['its guide does not say when', { guide: { ...guide, when: [] } }],
  ['its guide has no clause in', { guide: { ...guide, when: ['A pad is worth it.'] } }],
  ['its guide has no clause in', { guide: { ...guide, not: [''] } }],
  ['it has no example', { guide: { when: guide.when } }],
] as const)('a card that is badly told is found: %s', ([violation, wrong]) => {
  expect(findGuideViolations([cardFixture(wrong)])).toEqual([expect.stringContaining(`pads/keepOne: ${violation}`)]);
});

test('two tools with one title are found', () => {
  expect(findGuideViolations([cardFixture(), cardFixture({ name: 'pads/other' })])).toEqual([
    'pads/other: has the title of pads/keepOne',
  ]);
});

test('a description that is cut is found', () => {
  const { tools } = listTools([cardFixture({ summary: 'x'.repeat(1_200) })], 'all');
  expect(findDescriptionViolations(tools)).toHaveLength(1);
});

test('an example that its tool refuses is found', () => {
  const input = z.strictObject({ id: z.string() });
  const example = (value: Readonly<Record<string, unknown>>) => ({
    name: 'pads/keep',
    guide: { when: [], example: value },
    input,
  });
  expect(findExampleViolations([example({ id: 'plan' })])).toEqual([]);
  expect(findExampleViolations([example({ id: 7 }), example({}), example({ id: 'plan', extra: 1 })])).toHaveLength(3);
});
