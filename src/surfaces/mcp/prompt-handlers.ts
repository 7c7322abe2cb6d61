import type { Server } from '@modelcontextprotocol/server';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { PromptAnswer } from '#kernel/tool/prompt.ts';
import type { Ask, Variables } from '#kernel/tool/resource.ts';
import { cursorOf, type Desk, objectOf, type Params, textOf } from './desk.ts';
import { handle, withCursor } from './handle.ts';
import { mcpLimits } from './mcp-deps.ts';
import { type PageSource, pageAcross } from './pages.ts';
import { isObject, type JsonObject } from './protocol.ts';

function argumentsOf(params: Params, whose: string): Variables {
  const args = params['arguments'] ?? {};
  if (!isObject(args) || Object.values(args).some((value) => typeof value !== 'string')) {
    throw faults.INVALID_PARAMS({ why: `the arguments of a ${whose} are texts` });
  }
  return args as Variables;
}

/** What the client has filled in already. */
const chosenOf = (params: Params): Variables =>
  params['context'] === undefined ? {} : argumentsOf(objectOf(params, 'context'), 'context');

const toPrompt = ({ description, messages }: PromptAnswer): JsonObject => ({
  ...(description === undefined ? {} : { description }),
  messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })),
});

export function handlePrompts(server: Server, desk: Desk): void {
  const { sources } = desk.deps.prompts;
  handle(server, desk, 'prompts/list', async (params, ask) => {
    const lists: readonly PageSource<object>[] = sources.map((source) => (cursor) => source.list(ask, cursor));
    const { items, nextCursor } = await pageAcross(lists, cursorOf(params));
    return { prompts: items, ...withCursor(nextCursor) };
  });
  handle(server, desk, 'prompts/get', async (params, ask) => {
    const name = textOf(params, 'name');
    const args = argumentsOf(params, 'prompt');
    for (const source of sources) {
      const answer = await source.get(name, args, ask);
      if (answer !== undefined) return toPrompt(answer);
    }
    throw faults.INVALID_PARAMS({ why: `there is no prompt ${name.slice(0, 200)}` });
  });
}

async function complete({ deps }: Desk, params: Params, ask: Ask): Promise<readonly string[]> {
  const ref = objectOf(params, 'ref');
  const argument = objectOf(params, 'argument');
  const chosen = chosenOf(params);
  const name = textOf(argument, 'name');
  const typed = textOf(argument, 'value');
  if (ref['type'] === 'ref/resource') {
    const family = deps.resources.families.find(({ uriTemplate }) => uriTemplate === ref['uri']);
    return (await family?.complete?.(name, typed, ask, chosen)) ?? [];
  }
  const prompt = textOf(ref, 'name');
  for (const source of deps.prompts.sources) {
    const values = await source.complete?.(prompt, name, typed, ask);
    if (values !== undefined) return values;
  }
  return [];
}

export function handleCompletion(server: Server, desk: Desk): void {
  handle(server, desk, 'completion/complete', async (params, ask) => {
    const all = await complete(desk, params, ask);
    const values = all.slice(0, mcpLimits.completionsCount);
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
}
