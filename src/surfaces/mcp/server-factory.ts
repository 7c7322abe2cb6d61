import type { Server } from '@modelcontextprotocol/server';
import type { Desk } from './desk.ts';
import { instructionsOf, toCapabilities, toIdentity } from './introduction.ts';
import { type McpDeps, mcpLimits } from './mcp-deps.ts';
import { handleCompletion, handlePrompts } from './prompt-handlers.ts';
import { handleResources, handleSubscriptions } from './resource-handlers.ts';
import { handleSkills } from './skill-handlers.ts';
import { handleTools } from './tool-handlers.ts';

const forAMinute = { ttlMs: mcpLimits.listTtlMs, cacheScope: 'private' } as const;

const toImplementation = ({ server: { icons, ...rest } }: McpDeps) => ({
  ...rest,
  ...(icons && { icons: icons.map(({ sizes, ...icon }) => ({ ...icon, ...(sizes && { sizes: [...sizes] }) })) }),
});

/** The SDK's server of one client. Its low level is enough: lists and schemas are made once, by us. */
export function createServer(desk: Desk): Server {
  const { sdk, deps, options, client } = desk;
  const capabilities = toCapabilities(deps, client.channel);
  const server = new sdk.SlimServer(toImplementation(deps), toIdentity(deps.server), {
    capabilities: { ...capabilities },
    instructions: instructionsOf(deps),
    cacheHints: { 'tools/list': forAMinute, 'resources/templates/list': forAMinute, 'server/discover': forAMinute },
  });
  server.onerror = (error) => deps.log.debug({ err: error }, 'the protocol layer reports');
  handleTools(server, desk);
  if (capabilities.resources !== undefined) handleResources(server, desk);
  if (capabilities.resources?.subscribe) handleSubscriptions(server, desk);
  if (capabilities.prompts !== undefined) handlePrompts(server, desk);
  if (capabilities.completions !== undefined) handleCompletion(server, desk);
  if (deps.skills !== undefined) handleSkills(server, desk);
  options.fixtures?.(server, client.era);
  return server;
}
