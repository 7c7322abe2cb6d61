import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mutationOn } from '../instructions/catalog-program.fixture.ts';
import { engines, type Json, type NotebookProgram, openNotebooks } from '../notebooks/notebook-program.ts';
import { makeSharedStore, type SharedStore } from '../truth/truth-program.fixture.ts';
import type { Ask, Goal } from './goal.fixture.ts';
import { goals } from './goals.fixture.ts';

/** Each goal needs at most so many calls and bytes of answers, with the tools that a client sees by default. */
const callsMax = 5;
const bytesMax = 10_240;
/** The same if it searches the docs: an answer has passages of 1,500 tokens and ten heads. */
const docsBytesMax = 12_288;

const reachedMin = 35;
const firstCallRightMin = 32;

const withModel = { SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'minilm' };

interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly text?: string }[];
}

const askThrough =
  (client: Client, count: (text: string) => void = () => {}): Ask =>
  async <T>(name: string, input: Json) => {
    const answer = (await client.callTool({ name, arguments: { ...input } })) as ToolAnswer;
    const text = answer.content[0]?.text ?? '';
    count(text);
    if (answer.isError === true) throw new Error(`${name} failed: ${text}`);
    return answer.structuredContent as T;
  };

/** A rule that is refused is not an error of the call. */
async function seed(ask: Ask, steps: Goal<never>['seed'] = []): Promise<void> {
  for (const [tool, input] of steps) {
    const { error } = await ask(tool, input);
    if (error !== undefined) throw new Error(`${tool} refused: ${JSON.stringify(error)}`);
  }
}

/** Both answers name the texts that are not yet embedded. */
async function expectEmbedded(ask: Ask): Promise<void> {
  expect(await ask('retrieve_entities', { query: 'invoice' })).not.toHaveProperty('hint');
  expect(await ask('scratch_search', { query: 'plan', tags: ['no-such-tag'] })).not.toHaveProperty('pending');
}

describe.each(engines)('goals of users on %s', (engine) => {
  let store: SharedStore;
  let program: NotebookProgram;
  let listed: ReadonlySet<string>;
  const notSeeded = new Map<Goal<never>, unknown>();
  const firstCallRight = new Set<Goal<never>>();
  const reached = new Set<Goal<never>>();

  beforeAll(async () => {
    store = await makeSharedStore(engine);
    const earlier = await openNotebooks({ ...store.env, ...withModel, ...mutationOn });
    const ask = askThrough(earlier.client);
    for (const goal of goals) await seed(ask, goal.seed).catch((error: unknown) => notSeeded.set(goal, error));
    await vi.waitFor(() => expectEmbedded(ask), { timeout: 60_000 });
    await earlier.close();
    program = await openNotebooks({ ...store.env, ...withModel });
    listed = new Set((await program.client.listTools()).tools.map(({ name }) => name));
  }, 120_000);
  afterAll(async () => {
    await program?.close();
    await store?.remove();
  });

  it.each(goals)('$words', async (goal) => {
    if (notSeeded.has(goal)) throw notSeeded.get(goal);
    const anyTool = askThrough(program.client);
    let calls = 0;
    let bytes = 0;
    let usesDocs = false;
    const counted = askThrough(program.client, (text) => {
      calls += 1;
      bytes += Buffer.byteLength(text);
    });
    const ask: Ask = (tool, input) => {
      expect(listed).toContain(tool);
      usesDocs ||= tool === 'search_docs';
      return counted(tool, input);
    };
    const before = goal.before === undefined ? undefined : await anyTool(...goal.before);
    const first = await ask<never>(...(typeof goal.first === 'function' ? goal.first(before as never) : goal.first));
    goal.right(first);
    firstCallRight.add(goal);
    await goal.pursue?.(first, ask);
    await goal.judge?.(anyTool);
    expect(calls).toBeLessThanOrEqual(callsMax);
    expect(bytes).toBeLessThanOrEqual(usesDocs ? docsBytesMax : bytesMax);
    reached.add(goal);
  });

  it('reaches nearly all goals, and mostly with the call that was chosen first', () => {
    expect(goals).toHaveLength(37);
    expect(reached.size).toBeGreaterThanOrEqual(reachedMin);
    expect(firstCallRight.size).toBeGreaterThanOrEqual(firstCallRightMin);
  });
});
