import { join } from 'node:path';
import { type Caller, localTenant } from '#kernel/call.ts';
import { type Card, toCards } from '#kernel/tool/card.ts';
import { createRegistry } from '#kernel/tool/registry.ts';
import type { Toolset } from '#kernel/tool/tool.ts';
import { createListing, type ListedTool } from '#surfaces/mcp/listing.ts';
import type { ListingChoice } from '#surfaces/mcp/mcp-deps.ts';
import { readTree, root } from './tree.ts';

/** The caller with the longest list. */
const admin: Caller = { tenant: localTenant, actor: 'policy', scopes: new Set(['read', 'write', 'admin']) };

/** The first page of `tools/list` as the program sends it. */
export function listTools(
  cards: readonly Card[],
  toolsets: ListingChoice['toolsets'],
): { tools: readonly ListedTool[]; json: string } {
  const registry = createRegistry(cards, {});
  const permits = { mutation: true, readOnly: false };
  const choice = { toolNames: 'listed', toolsets, readOnly: false } as const;
  const listing = createListing({ registry, permits, listing: choice, answers: 'both' });
  return { tools: listing.page(admin, undefined)?.tools ?? [], json: listing.firstPage(admin) };
}

type AnyToolset = Toolset<never>;

const isToolset = (value: unknown): value is AnyToolset =>
  typeof value === 'object' && value !== null && 'tools' in value && 'faultForm' in value;

/** All toolsets of the source tree, found by file name and not from the program's own list. */
export async function loadToolsets(): Promise<readonly AnyToolset[]> {
  const paths = readTree('src/domains').filter(({ path }) => path.endsWith('toolset.ts'));
  const modules = await Promise.all(paths.map(({ path }) => import(join(root, path)) as Promise<object>));
  return modules.flatMap((module) => Object.values(module)).filter(isToolset);
}

export const loadCards = async (): Promise<readonly Card[]> =>
  (await loadToolsets()).flatMap((toolset) => toCards(toolset));
