import { type McpDeps, mcpLimits } from './mcp-deps.ts';
import { legacyRevisions, metaKeys, modernRevision, type RequestId, skillsExtension } from './protocol.ts';

/** How a client is connected; the capabilities depend on it. */
export type Channel = 'stdio' | 'session' | 'stateless' | 'modern';

type EmptyObject = Record<string, never>;

export interface Capabilities {
  readonly tools: EmptyObject;
  readonly resources?: { readonly subscribe?: true; readonly listChanged?: true };
  readonly prompts?: { readonly listChanged?: true };
  readonly completions?: EmptyObject;
  readonly logging?: EmptyObject;
  readonly extensions?: Readonly<Record<string, EmptyObject>>;
}

type Catalogs = Pick<McpDeps, 'resources' | 'prompts' | 'skills'>;

function toResources({ resources, skills }: Catalogs, canTell: boolean): Pick<Capabilities, 'resources'> {
  if (resources.families.length === 0 && skills === undefined) return {};
  const isWatched = canTell && resources.families.some((family) => family.changes !== undefined);
  const isListWatched = isWatched || (canTell && skills?.topic !== undefined);
  return { resources: { ...(isWatched && { subscribe: true }), ...(isListWatched && { listChanged: true }) } };
}

function toPrompts({ prompts }: Catalogs, canTell: boolean): Pick<Capabilities, 'prompts'> {
  if (prompts.sources.length === 0) return {};
  const isWatched = canTell && prompts.sources.some((source) => source.topic !== undefined);
  return { prompts: { ...(isWatched && { listChanged: true }) } };
}

/** Without a lasting 2025-era connection nothing can be announced later, so nothing is promised. */
export function toCapabilities(catalogs: Catalogs, channel: Channel): Capabilities {
  const canTell = channel !== 'stateless';
  const completers = [...catalogs.resources.families, ...catalogs.prompts.sources];
  return {
    tools: {},
    ...toResources(catalogs, canTell),
    ...toPrompts(catalogs, canTell),
    ...(completers.some((one) => one.complete !== undefined) && { completions: {} }),
    ...(canTell && { logging: {} }),
    ...(catalogs.skills !== undefined && { extensions: { [skillsExtension]: {} } }),
  };
}

/** The revision for a 2025-era client: its own if we know it, else our newest. */
const negotiate = (wanted: unknown): string => legacyRevisions.find((known) => known === wanted) ?? legacyRevisions[0]!;

type IntroductionDeps = Catalogs & Pick<McpDeps, 'server' | 'instructions'>;

/** The text that clients show to the model, below the length at which they cut it. */
export const instructionsOf = ({ instructions }: Pick<McpDeps, 'instructions'>): string =>
  instructions.slice(0, mcpLimits.instructionsChars);

export const initializeResult = (self: IntroductionDeps, channel: Channel, wanted: unknown): string => {
  const instructions = instructionsOf(self);
  return JSON.stringify({
    protocolVersion: negotiate(wanted),
    capabilities: toCapabilities(self, channel),
    serverInfo: self.server,
    ...(instructions !== '' && { instructions }),
  });
};

/** The identity in every answer of the 2026 era; icons would outweigh most answers. */
export const toIdentity = ({ name, title, version }: McpDeps['server']) => ({ name, title, version });

/** The whole message: unlike other answers it carries the full identity, in the SDK's order. */
export function discoverText(self: IntroductionDeps, id: RequestId): string {
  const instructions = instructionsOf(self);
  const result = {
    supportedVersions: [modernRevision],
    capabilities: toCapabilities(self, 'modern'),
    ...(instructions !== '' && { instructions }),
    _meta: { [metaKeys.serverInfo]: self.server },
    resultType: 'complete',
    ttlMs: mcpLimits.listTtlMs,
    cacheScope: 'private',
  };
  return JSON.stringify({ result, jsonrpc: '2.0', id });
}
