import { expect, test } from 'vitest';
import { z } from 'zod';
import { cardFixture } from './card.fixture.ts';
import { findDescriptionViolations, findExampleViolations, findGuideViolations } from './guides.ts';
import { listTools, loadCards, loadToolsets } from './toolsets.ts';

test('every tool says briefly what it does and when to use it', async () => {
  expect(findGuideViolations(await loadCards())).toEqual([]);
});

test('no description is truncated', async () => {
  expect(findDescriptionViolations(listTools(await loadCards(), 'all').tools)).toEqual([]);
});

test('every example is valid input for its tool', async () => {
  const tools = (await loadToolsets()).flatMap((toolset) => toolset.tools);
  expect(findExampleViolations(tools)).toEqual([]);
});

const guide = { when: ['a pad is worth keeping'], example: {} };

test.for([
  ['its title is not valid', { title: '' }],
  ['its title is not valid', { title: 'Keeps a pad.' }],
  ['its title is not valid', { title: 'x'.repeat(61) }],
  ['its summary is not a short sentence', { summary: 'keeps a pad.' }],
  ['its summary is not a short sentence', { summary: 'Keeps a pad' }],
  ['its summary is not a short sentence', { summary: `${'X'.repeat(200)}.` }],
  ['its guide does not say when', { guide: { ...guide, when: [] } }],
  ['its guide has an invalid clause', { guide: { ...guide, when: ['A pad is worth it.'] } }],
  ['its guide has an invalid clause', { guide: { ...guide, not: [''] } }],
  ['it has no example', { guide: { when: guide.when } }],
] as const)('rejects a card: %s', ([violation, wrong]) => {
  expect(findGuideViolations([cardFixture(wrong)])).toEqual([expect.stringContaining(`pads/keepOne: ${violation}`)]);
});

test('finds two tools with the same title', () => {
  expect(findGuideViolations([cardFixture(), cardFixture({ name: 'pads/other' })])).toEqual([
    'pads/other: has the title of pads/keepOne',
  ]);
});

test('finds a truncated description', () => {
  const { tools } = listTools([cardFixture({ summary: 'x'.repeat(1_200) })], 'all');
  expect(findDescriptionViolations(tools)).toHaveLength(1);
});

test('finds an example that its tool rejects', () => {
  const input = z.strictObject({ id: z.string() });
  const example = (value: Readonly<Record<string, unknown>>) => ({
    name: 'pads/keep',
    guide: { when: [], example: value },
    input,
  });
  expect(findExampleViolations([example({ id: 'plan' })])).toEqual([]);
  expect(findExampleViolations([example({ id: 7 }), example({}), example({ id: 'plan', extra: 1 })])).toHaveLength(3);
});
