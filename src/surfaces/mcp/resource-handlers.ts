import type { Server } from '@modelcontextprotocol/server';
import { cutText } from '#kernel/fault/bound-fault.ts';
import { limits } from '#kernel/limits.ts';
import {
  type Ask,
  matchUri,
  type ResourceContent,
  type ResourceFamily,
  type Variables,
} from '#kernel/tool/resource.ts';
import { cursorOf, type HandlerContext, registerHandler, textOf, withCursor } from './handler-context.ts';
import { pageAcross } from './pages.ts';
import type { JsonObject } from './protocol.ts';
import { readSkillFile, skillLists, skillTemplates } from './skill-handlers.ts';

function findFamily(
  { deps }: HandlerContext,
  uri: string,
): { family: ResourceFamily; variables: Variables } | undefined {
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

/** The SDK's error repeats the URI. */
function notFound({ sdk }: HandlerContext, uri: string): Error {
  const error = new sdk.ResourceNotFoundError(cutText(uri, limits.faultMessageChars));
  const suggestion = 'resources/list lists the resources, resources/templates/list the forms of their URIs.';
  return Object.assign(error, { data: { ...(error.data as object), suggestion } });
}

async function readResource(context: HandlerContext, uri: string, ask: Ask): Promise<JsonObject> {
  const found = findFamily(context, uri);
  const content =
    found === undefined ? await readSkillFile(context, uri, ask) : await found.family.read(found.variables, ask);
  if (content === undefined) throw notFound(context, uri);
  return { contents: [toContents(uri, content)] };
}

export function handleResources(server: Server, context: HandlerContext): void {
  const { families } = context.deps.resources;
  registerHandler(server, context, 'resources/list', async (params, ask) => {
    const lists = families.flatMap((family) =>
      family.list === undefined ? [] : [(cursor: string | undefined) => family.list!(ask, cursor)],
    );
    const { items, nextCursor } = await pageAcross([...lists, ...skillLists(context, ask)], cursorOf(params));
    return { resources: items, ...withCursor(nextCursor) };
  });
  registerHandler(server, context, 'resources/templates/list', async () => ({
    resourceTemplates: [
      ...families.map(({ uriTemplate, name, title, description, mimeType }) => ({
        name,
        title,
        uriTemplate,
        description,
        mimeType,
      })),
      ...skillTemplates(context),
    ],
  }));
  registerHandler(server, context, 'resources/read', (params, ask) =>
    readResource(context, textOf(params, 'uri'), ask),
  );
}

/** 2025 era; in the 2026 era the SDK serves `subscriptions/listen`. */
export function handleSubscriptions(server: Server, context: HandlerContext): void {
  const { subscriptions } = context.client;
  if (subscriptions === undefined) return;
  registerHandler(server, context, 'resources/subscribe', async (params) => {
    const uri = textOf(params, 'uri');
    if (findFamily(context, uri)?.family.changes === undefined) throw notFound(context, uri);
    subscriptions.add(uri);
    return {};
  });
  registerHandler(server, context, 'resources/unsubscribe', async (params) => {
    subscriptions.remove(textOf(params, 'uri'));
    return {};
  });
}
