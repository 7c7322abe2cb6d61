import { expect, test } from 'vitest';
import { allCards } from '#app/generate/generate.ts';
import { openMiniLm } from '#kernel/embed/minilm/open-minilm.ts';
import { isCommandOnly } from '#kernel/tool/card.ts';
import { type ToolRequest, toolRequests } from '../../../../bench/judged/tool-requests.ts';
import { unseenToolRequests } from '../../../../bench/judged/unseen-tool-requests.ts';
import { everydayRequests } from './everyday-requests.ts';
import { everydayWords } from './everyday-words.ts';
import { createToolFinder, type RequestVector, type WhyDisabled } from './find-cards.ts';

const { signal } = new AbortController();
const find = createToolFinder(allCards());
const enabled: WhyDisabled = (card) => (isCommandOnly(card) ? 'Only on the command line.' : undefined);
const names = async (query: string, limit = 5, whyDisabled: WhyDisabled = enabled, toVector?: RequestVector) => {
  const options = { limit, whyDisabled, signal, ...(toVector === undefined ? {} : { toVector }) };
  return (await find(query, options)).tools.map((found) => found.name);
};

const embedder = await openMiniLm({ batchCount: 1 });
const toVector: RequestVector = async (text, model) =>
  embedder?.id === model ? (await embedder.embed([text], { signal, purpose: 'query' }))[0] : undefined;

test('[SY3] finds tools by words of the name and of the texts, stemmed', async () => {
  expect((await names('verify audit'))[0]).toBe('audit_verify');
  expect((await names('who changed an item'))[0]).toBe('audit_list');
  expect((await names('check the health of the server'))[0]).toBe('health_check');
  expect(await names('rules that apply to a review')).toContain('instructions_applicable');
});

test('[SY3] finds a tool by its name first, listed or canonical', async () => {
  for (const { name, listedName } of allCards()) {
    expect((await names(listedName, 1))[0]).toBe(listedName);
    expect((await names(name, 1))[0]).toBe(listedName);
  }
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
  const { tools } = await find('audit trail', { limit: 5, whyDisabled: () => undefined, signal });
  const [first, ...others] = tools;
  expect(first).toMatchObject({ inputSchema: { type: 'object' }, title: expect.any(String) as string });
  expect(others.length).toBeGreaterThan(1);
  for (const other of others) expect(Object.keys(other)).toEqual(['name', 'call', 'summary', 'effect']);
});

test.each([
  'move this note to another notebook',
  'put the note from the inbox into the project pad',
  'move a cell to a different scratchpad',
])('[SY3] finds the tool that moves a cell for: %s', async (request) => {
  expect((await names(request, 3, enabled))[0]).toBe('scratch_move_cell');
});

test('[SY3] shows a disabled tool with the reason, behind others that fit about as well', async () => {
  const why: WhyDisabled = ({ listedName }) => (listedName === 'audit_verify' ? 'It is off.' : undefined);
  const { tools: found } = await find('was the log forged', { limit: 5, whyDisabled: why, signal });
  expect(found.find(({ name }) => name === 'audit_verify')).toMatchObject({ disabled: 'It is off.' });
  expect(found[0]).not.toHaveProperty('disabled');
});

/** Requests without a right tool among the first three. */
async function findMissed(requests: readonly ToolRequest[], vectorOf?: RequestVector): Promise<readonly string[]> {
  const canonical = new Map(allCards().map(({ name, listedName }) => [listedName, name]));
  const missed: string[] = [];
  for (const { asks, right } of requests) {
    const found = (await names(asks, 3, enabled, vectorOf)).map((name) => canonical.get(name)!);
    if (!found.some((name) => right.includes(name))) missed.push(asks);
  }
  return missed;
}

test('[SY3] finds the right tool for nine of ten everyday requests among the first three', async () => {
  const missed = await findMissed(toolRequests);
  expect(toolRequests.length).toBeGreaterThanOrEqual(60);
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(toolRequests.length / 10);
});

test.skipIf(embedder === undefined)(
  '[SY3] finds more tools by meaning, also for requests it was not made for',
  async () => {
    const tuned = await findMissed(toolRequests, toVector);
    expect(tuned.length, tuned.join('\n')).toBeLessThanOrEqual(toolRequests.length / 10);
    const [words, both] = [await findMissed(unseenToolRequests), await findMissed(unseenToolRequests, toVector)];
    expect(both.length).toBeLessThan(words.length);
    expect(both.length).toBeLessThanOrEqual(unseenToolRequests.length / 5);
  },
);

test.skipIf(embedder === undefined)('[SY3] finds tools for requests that share no word with their texts', async () => {
  for (const [request, tool] of [
    ['someone who quit must not get in any longer', 'keys_revoke'],
    ['that paragraph belongs further up', 'scratch_move_cell'],
    ['which approach did we settle on for caching', 'recall'],
  ] as const)
    expect(await names(request, 3, enabled, toVector), request).toContain(tool);
  for (const query of ['xyzzy', 'the of and', '!?'])
    expect(await names(query, 5, enabled, toVector), query).toEqual([]);
});

test('[SY3] an everyday request finds its tool first, also one of a single or a common word', async () => {
  for (const [request, tool] of [
    ['who', 'audit_list'],
    ['Who?', 'audit_list'],
    ['link', 'create_relationship'],
    ['edit', 'scratch_replace_cell'],
    ['rename', 'scratch_describe'],
    ['undo my last change', 'forget'],
    ['GDPR erase', 'forget_entity'],
  ] as const)
    expect((await names(request))[0], request).toBe(tool);
  const cards = new Map(allCards().map((card) => [card.name, card]));
  for (const [name, requests] of Object.entries(everydayRequests)) {
    expect(cards.has(name), name).toBe(true);
    for (const request of requests) expect((await names(request))[0], request).toBe(cards.get(name)!.listedName);
  }
});

test('[SY3] finds the tool for a new notebook, and those for a rule that no longer fits', async () => {
  const both = embedder === undefined ? [undefined] : [undefined, toVector];
  for (const vectorOf of both) {
    for (const request of ['create a notebook with several cells', 'make a notebook that has a few cells'])
      expect((await names(request, 1, enabled, vectorOf))[0], request).toBe('scratch_create');
    for (const request of ['this rule is outdated', 'that guideline is stale'])
      expect(await names(request, 3, enabled, vectorOf), request).toContain('instructions_propose');
    expect((await names('every cell needs the same fields', 1, enabled, vectorOf))[0]).toBe('scratch_upsert_schema');
  }
});

test('[SY3] a bank or a connected account is not first for words that belong to all memories', async () => {
  for (const word of ['link', 'edit', 'delete', 'remove', 'connect two people', 'delete a person completely'])
    expect((await names(word))[0], word).not.toMatch(/^(?:plaid|connectors)_/);
  const request = 'what did I write down last week about the login problem';
  expect((await names(request, 5, enabled, toVector))[0]).not.toMatch(/^(?:plaid|connectors)_/);
});

test('[SY3] says so if no tool does what is asked', async () => {
  const ask = (request: string, vectorOf?: RequestVector) =>
    find(request, { limit: 5, whyDisabled: enabled, signal, ...(vectorOf && { toVector: vectorOf }) });
  expect((await ask('tell me when something changes')).absent).toContain('No tool sends notifications');
  expect((await ask('rename a pad')).absent).toBeUndefined();
  if (embedder === undefined) return;
  expect((await ask('inform me as soon as this page is edited', toVector)).absent).toContain('notifications');
  expect((await ask('rename a pad', toVector)).absent).toBeUndefined();
  for (const { asks } of [...toolRequests, ...unseenToolRequests])
    expect((await ask(asks, toVector)).absent, asks).toBeUndefined();
});

test('[SY3] the line of a tool names its parameters, the required ones first', async () => {
  const { tools } = await find('change the order of the cells', { limit: 20, whyDisabled: enabled, signal });
  const calls = new Map(
    (await find('cell', { limit: 20, whyDisabled: enabled, signal })).tools.map((one) => [one.name, one]),
  );
  expect(tools[0]).not.toHaveProperty('call');
  expect(calls.get('scratch_move_cell')).toMatchObject({
    call: expect.stringMatching(/^scratch_move_cell\(scratch_id, cell_id, to_index\?, to_scratch_id\?/) as string,
  });
});
