import type { Server } from '@modelcontextprotocol/server';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import type { PromptAnswer } from '#kernel/tool/prompt.ts';
import type { Ask, Variables } from '#kernel/tool/resource.ts';
import {
  cursorOf,
  type HandlerContext,
  objectOf,
  type Params,
  registerHandler,
  textOf,
  withCursor,
} from './handler-context.ts';
import { instructionsOf, toCapabilities, toIdentity } from './introduction.ts';
import { type McpDeps, mcpLimits } from './mcp-deps.ts';
import { type PageSource, pageAcross } from './pages.ts';
import type { JsonObject } from './protocol.ts';
import { handleResources, handleSubscriptions } from './resource-handlers.ts';
import { handleSkills } from './skill-handlers.ts';
import { handleTools } from './tool-handlers.ts';

function argumentsOf(params: Params, whose: string): Variables {
  const args = params['arguments'] ?? {};
  if (!isObject(args) || Object.values(args).some((value) => typeof value !== 'string')) {
    throw faults.INVALID_PARAMS(
      { why: `the arguments of a ${whose} must be strings` },
      { fix: 'Send an object whose values are all strings.' },
    );
  }
  return args as Variables;
}

/** Arguments that the client has already filled in. */
const chosenOf = (params: Params): Variables =>
  params['context'] === undefined ? {} : argumentsOf(objectOf(params, 'context'), 'context');

const toPrompt = ({ description, messages }: PromptAnswer): JsonObject => ({
  ...(description === undefined ? {} : { description }),
  messages: messages.map(({ role, text }) => ({ role, content: { type: 'text', text } })),
});

function handlePrompts(server: Server, context: HandlerContext): void {
  const { sources } = context.deps.prompts;
  registerHandler(server, context, 'prompts/list', async (params, ask) => {
    const lists: readonly PageSource<object>[] = sources.map((source) => (cursor) => source.list(ask, cursor));
    const { items, nextCursor } = await pageAcross(lists, cursorOf(params));
    return { prompts: items, ...withCursor(nextCursor) };
  });
  registerHandler(server, context, 'prompts/get', async (params, ask) => {
    const name = textOf(params, 'name');
    const args = argumentsOf(params, 'prompt');
    for (const source of sources) {
      const answer = await source.get(name, args, ask);
      if (answer !== undefined) return toPrompt(answer);
    }
    throw faults.INVALID_PARAMS(
      { why: `unknown prompt ${name.slice(0, 200)}` },
      { fix: 'prompts/list lists the prompts.' },
    );
  });
}

async function complete({ deps }: HandlerContext, params: Params, ask: Ask): Promise<readonly string[]> {
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

function handleCompletion(server: Server, context: HandlerContext): void {
  registerHandler(server, context, 'completion/complete', async (params, ask) => {
    const all = await complete(context, params, ask);
    const values = all.slice(0, mcpLimits.completionsCount);
    return { completion: { values, total: all.length, hasMore: all.length > values.length } };
  });
}

const cacheHints = { ttlMs: mcpLimits.listTtlMs, cacheScope: 'private' } as const;

const toImplementation = ({ server: { icons, ...rest } }: McpDeps) => ({
  ...rest,
  ...(icons && { icons: icons.map(({ sizes, ...icon }) => ({ ...icon, ...(sizes && { sizes: [...sizes] }) })) }),
});

/** The SDK's low-level server for one client: lists and schemas are computed once, by us. */
export function createServer(context: HandlerContext): Server {
  const { sdk, deps, options, client } = context;
  const capabilities = toCapabilities(deps, client.channel);
  const server = new sdk.SlimServer(toImplementation(deps), toIdentity(deps.server), {
    capabilities: { ...capabilities },
    instructions: instructionsOf(deps),
    cacheHints: { 'tools/list': cacheHints, 'resources/templates/list': cacheHints, 'server/discover': cacheHints },
  });
  server.onerror = (error) => deps.log.debug({ err: error }, 'MCP SDK error');
  handleTools(server, context);
  if (capabilities.resources !== undefined) handleResources(server, context);
  if (capabilities.resources?.subscribe) handleSubscriptions(server, context);
  if (capabilities.prompts !== undefined) handlePrompts(server, context);
  if (capabilities.completions !== undefined) handleCompletion(server, context);
  if (deps.skills !== undefined) handleSkills(server, context);
  options.fixtures?.(server, client.era);
  return server;
}
