import { expect, test } from 'vitest';
import { allCards } from '#app/generate/generate.ts';
import { isCommandOnly } from '#kernel/tool/card.ts';
import { toolRequests } from '../../../../bench/judged/tool-requests.ts';
import { everydayWords } from './everyday-words.ts';
import { createToolFinder, type WhyDisabled } from './find-cards.ts';

const { signal } = new AbortController();
const find = createToolFinder(allCards());
const enabled: WhyDisabled = (card) => (isCommandOnly(card) ? 'Only on the command line.' : undefined);
const names = async (query: string, limit = 5, why: WhyDisabled = enabled) =>
  (await find(query, limit, why, signal)).map((found) => found.name);

test('[SY3] finds tools by words of the name and of the texts, stemmed', async () => {
  expect((await names('verify audit'))[0]).toBe('audit_verify');
  expect((await names('who changed an item'))[0]).toBe('audit_list');
  expect((await names('check the health of the server'))[0]).toBe('health_check');
  expect(await names('rules that apply to a review')).toContain('instructions_applicable');
});

test('[SY3] finds a tool by its name first', async () => {
  for (const { listedName } of allCards()) expect((await names(listedName, 1))[0]).toBe(listedName);
});

test('[SY3] finds tools by everyday words', async () => {
  expect(await names('link two people')).toContain('create_relationship');
  expect(await names('is it broken')).toContain('health_check');
});

test('[SY3] everyday words belong to existing tools', () => {
  const known = new Set(allCards().map(({ name }) => name));
  expect(Object.keys(everydayWords).filter((name) => !known.has(name))).toEqual([]);
});

test('[SY3] respects the limit and returns nothing for unknown words', async () => {
  expect(await names('audit', 2)).toHaveLength(2);
  for (const query of ['xyzzy', '', '""', '"', 'the of and', '!?', '\u0000'])
    expect(await names(query), JSON.stringify(query)).toEqual([]);
});

test('[SY3] shows the schema of the first tool, and one line for each of the others', async () => {
  const [first, ...others] = await find('audit trail', 5, () => undefined, signal);
  expect(first).toMatchObject({ inputSchema: { type: 'object' }, title: expect.any(String) as string });
  expect(others.length).toBeGreaterThan(1);
  for (const other of others) expect(Object.keys(other)).toEqual(['name', 'summary', 'effect']);
});

test('[SY3] shows a disabled tool with the reason, behind others that fit about as well', async () => {
  const why: WhyDisabled = ({ listedName }) => (listedName === 'audit_verify' ? 'It is off.' : undefined);
  const found = await find('was the log forged', 5, why, signal);
  expect(found.find(({ name }) => name === 'audit_verify')).toMatchObject({ disabled: 'It is off.' });
  expect(found[0]).not.toHaveProperty('disabled');
});

test('[SY3] finds the right tool for nine of ten everyday requests among the first three', async () => {
  const canonical = new Map(allCards().map(({ name, listedName }) => [listedName, name]));
  const missed: string[] = [];
  for (const { asks, right } of toolRequests) {
    const found = (await names(asks, 3)).map((name) => canonical.get(name)!);
    if (!found.some((name) => right.includes(name))) missed.push(asks);
  }
  expect(toolRequests.length).toBeGreaterThanOrEqual(60);
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(toolRequests.length / 10);
});
