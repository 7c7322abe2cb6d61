import { type Caller, localTenant } from '#kernel/call.ts';
import type { Card } from '#kernel/tool/card.ts';
import { createRegistry } from '#kernel/tool/registry.ts';
import { createListing, type ListedTool } from '#surfaces/mcp/listing.ts';
import type { ListingChoice } from '#surfaces/mcp/mcp-deps.ts';

/** The caller who is shown the most. */
const admin: Caller = { tenant: localTenant, actor: 'policy', scopes: new Set(['read', 'write', 'admin']) };

/** The first page of `tools/list` as the program sends it. */
export function listTools(
  cards: readonly Card[],
  toolsets: ListingChoice['toolsets'],
): { tools: readonly ListedTool[]; json: string } {
  const registry = createRegistry(cards, {});
  const permits = { mutation: true, readOnly: false };
  const listing = createListing({ registry, permits, listing: { toolNames: 'listed', toolsets, readOnly: false } });
  return { tools: listing.page(admin, undefined)?.tools ?? [], json: listing.firstPage(admin) };
}
