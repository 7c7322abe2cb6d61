import type { McpHttpHandler, ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { Caller, TenantId } from '#kernel/call.ts';
import { type Announcement, watchTenant } from './announcements.ts';
import type { Client } from './handler-context.ts';
import type { McpDeps, McpOptions } from './mcp-deps.ts';
import type { JsonObject } from './protocol.ts';
import type { Responder } from './responder.ts';
import type { Sdk } from './sdk.ts';
import { createServer } from './server-factory.ts';

function toEvent(announcement: Announcement): ServerEvent {
  switch (announcement.method) {
    case 'notifications/resources/updated':
      return { kind: 'resource_updated', uri: announcement.params.uri };
    case 'notifications/resources/list_changed':
      return { kind: 'resources_list_changed' };
    case 'notifications/prompts/list_changed':
      return { kind: 'prompts_list_changed' };
  }
}

/** One tenant's changes, for the SDK's `subscriptions/listen`. */
function createTenantBus(deps: McpDeps, tenant: TenantId): ServerEventBus {
  const listeners = new Set<(event: ServerEvent) => void>();
  let stop = () => {};
  const publish = (event: ServerEvent) => {
    for (const listener of listeners) listener(event);
  };
  return {
    publish,
    subscribe(listener) {
      if (listeners.size === 0) stop = watchTenant(deps, tenant, (announcement) => publish(toEvent(announcement)));
      listeners.add(listener);
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) stop();
      };
    },
  };
}

/** Serves requests without a session: the 2026 era, and the 2025 era when sessions are off. */
export function createModernHandlers(deps: McpDeps, options: McpOptions, responder: Responder) {
  /** One handler per tenant: the SDK sends all listeners of a handler the same events. */
  const handlers = new Map<TenantId, McpHttpHandler>();
  const callers = new WeakMap<Request, Caller>();

  function handlerOf(sdk: Sdk, tenant: TenantId): McpHttpHandler {
    let handler = handlers.get(tenant);
    if (handler === undefined) {
      handler = sdk.createMcpHandler(
        ({ era, requestInfo }) => {
          const caller = requestInfo && callers.get(requestInfo);
          if (caller === undefined) throw new Error('bug: a request without a caller reached the SDK');
          const channel = era === 'modern' ? 'modern' : 'stateless';
          const client: Client = { caller, era, channel, subscriptions: undefined, wantsLogs: () => false };
          return createServer({ sdk, deps, options, responder: responder, client });
        },
        {
          legacy: deps.httpSessions ? 'reject' : 'stateless',
          bus: createTenantBus(deps, tenant),
          onerror: (error) => deps.log.debug({ err: error }, 'MCP SDK error'),
        },
      );
      handlers.set(tenant, handler);
    }
    return handler;
  }

  return {
    fetch(sdk: Sdk, request: Request, message: JsonObject | undefined, caller: Caller): Promise<Response> {
      callers.set(request, caller);
      return handlerOf(sdk, caller.tenant).fetch(request, message === undefined ? {} : { parsedBody: message });
    },
    async close() {
      await Promise.all([...handlers.values()].map((handler) => handler.close()));
      handlers.clear();
    },
  };
}
