import type { Server } from '@modelcontextprotocol/server';
import {
  type Ask,
  matchUri,
  type ResourceContent,
  type ResourceFamily,
  type Variables,
} from '#kernel/tool/resource.ts';
import { cursorOf, type Desk, handle, textOf, withCursor } from './desk.ts';
import { pageAcross } from './pages.ts';
import type { JsonObject } from './protocol.ts';
import { readSkillFile, skillLists, skillTemplates } from './skill-handlers.ts';

function findFamily({ deps }: Desk, uri: string): { family: ResourceFamily; variables: Variables } | undefined {
  for (const family of deps.resources.families) {
    const variables = matchUri(family.uriTemplate, uri);
    if (variables !== undefined) return { family, variables };
  }
  return undefined;
}

const toContents = (uri: string, content: ResourceContent): JsonObject =>
  'text' in content
    ? { uri, mimeType: content.mimeType, text: content.text }
    : { uri, mimeType: content.mimeType, blob: content.base64 };

async function readResource(desk: Desk, uri: string, ask: Ask): Promise<JsonObject> {
  const found = findFamily(desk, uri);
  const content =
    found === undefined ? await readSkillFile(desk, uri, ask) : await found.family.read(found.variables, ask);
  if (content === undefined) throw new desk.sdk.ResourceNotFoundError(uri);
  return { contents: [toContents(uri, content)] };
}

export function handleResources(server: Server, desk: Desk): void {
  const { families } = desk.deps.resources;
  handle(server, desk, 'resources/list', async (params, ask) => {
    const lists = families.flatMap((family) =>
      family.list === undefined ? [] : [(cursor: string | undefined) => family.list!(ask, cursor)],
    );
    const { items, nextCursor } = await pageAcross([...lists, ...skillLists(desk, ask)], cursorOf(params));
    return { resources: items, ...withCursor(nextCursor) };
  });
  handle(server, desk, 'resources/templates/list', async () => ({
    resourceTemplates: [
      ...families.map(({ uriTemplate, name, title, description, mimeType }) => ({
        name,
        title,
        uriTemplate,
        description,
        mimeType,
      })),
      ...skillTemplates(desk),
    ],
  }));
  handle(server, desk, 'resources/read', (params, ask) => readResource(desk, textOf(params, 'uri'), ask));
}

/** 2025 era; the 2026 era subscribes by `subscriptions/listen`, which the SDK serves. */
export function handleSubscriptions(server: Server, desk: Desk): void {
  const { subscriptions } = desk.client;
  if (subscriptions === undefined) return;
  handle(server, desk, 'resources/subscribe', async (params) => {
    const uri = textOf(params, 'uri');
    if (findFamily(desk, uri)?.family.changes === undefined) throw new desk.sdk.ResourceNotFoundError(uri);
    subscriptions.add(uri);
    return {};
  });
  handle(server, desk, 'resources/unsubscribe', async (params) => {
    subscriptions.remove(textOf(params, 'uri'));
    return {};
  });
}
