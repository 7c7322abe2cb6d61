import type { Caller } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Change } from '#kernel/storage/port.ts';
import { toUri } from '#kernel/tool/resource.ts';
import { type McpDeps, mcpLimits } from './mcp-deps.ts';

/** What a committed change means to a client. */
export type Announcement =
  | { readonly method: 'notifications/resources/updated'; readonly params: { readonly uri: string } }
  | { readonly method: 'notifications/resources/list_changed' }
  | { readonly method: 'notifications/prompts/list_changed' };

type Catalogs = Pick<McpDeps, 'resources' | 'prompts' | 'skills'>;

const resourcesChanged: Announcement = { method: 'notifications/resources/list_changed' };
const promptsChanged: Announcement = { method: 'notifications/prompts/list_changed' };

function toAnnouncements({ resources, prompts, skills }: Catalogs, change: Change): readonly Announcement[] {
  const messages: Announcement[] = [];
  let isListChanged = skills?.topic === change.topic;
  for (const { uriTemplate, changes } of resources.families) {
    if (changes?.topic !== change.topic) continue;
    const uri = toUri(uriTemplate, changes.variables(change.id, change.what));
    // Also for a creation: a client can subscribe to a resource before it exists.
    messages.push({ method: 'notifications/resources/updated', params: { uri } });
    isListChanged ||= change.what !== 'update';
  }
  if (isListChanged) messages.push(resourcesChanged);
  if (prompts.sources.some((source) => source.topic === change.topic)) messages.push(promptsChanged);
  return messages;
}

const isAnythingWatched = ({ resources, prompts, skills }: Catalogs): boolean =>
  skills?.topic !== undefined ||
  resources.families.some((family) => family.changes !== undefined) ||
  prompts.sources.some((source) => source.topic !== undefined);

/** Listens for one tenant. A list is announced as changed once per commit, however many changes the commit holds. */
export function watchTenant(
  deps: Catalogs & Pick<McpDeps, 'changes'>,
  tenant: Caller['tenant'],
  notify: (announcement: Announcement) => void,
): () => void {
  if (!isAnythingWatched(deps)) return () => {};
  const lists = new Set<Announcement>();

  function tellLists(): void {
    const messages = [...lists];
    lists.clear();
    for (const announcement of messages) notify(announcement);
  }

  const unsubscribe = deps.changes.subscribe(tenant, (change) => {
    for (const announcement of toAnnouncements(deps, change)) {
      if (announcement.method === 'notifications/resources/updated') notify(announcement);
      else if (lists.size === 0) {
        lists.add(announcement);
        setImmediate(tellLists);
      } else lists.add(announcement);
    }
  });
  return () => {
    lists.clear();
    unsubscribe();
  };
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

/** The subscriptions of one 2025-era client: every list, and the resources it named. */
export function createSubscriptions(deps: McpDeps, caller: Caller, notify: (announcement: Announcement) => void) {
  const uris = new Set<string>();
  let stop: (() => void) | undefined;
  return {
    add(uri: string) {
      if (uris.size >= mcpLimits.subscriptionsCount) {
        throw faults.RESOURCE_LIMIT({
          what: 'The connection',
          limit: mcpLimits.subscriptionsCount,
          unit: 'subscriptions',
        });
      }
      uris.add(uri);
    },
    remove: (uri: string) => void uris.delete(uri),
    start() {
      stop ??= watchTenant(deps, caller.tenant, (announcement) => {
        if (announcement.method !== 'notifications/resources/updated' || uris.has(announcement.params.uri))
          notify(announcement);
      });
    },
    stop() {
      stop?.();
      stop = undefined;
    },
  };
}
