import type { Server, ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { toFault } from '#kernel/fault/to-fault.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { type Era, toRpcError } from '#kernel/tool/fault-forms.ts';
import type { Ask } from '#kernel/tool/resource.ts';
import type { Subscriptions } from './announcements.ts';
import type { Channel } from './introduction.ts';
import type { McpDeps, McpOptions } from './mcp-deps.ts';
import type { JsonObject } from './protocol.ts';
import type { Responder } from './responder.ts';
import type { Sdk } from './sdk.ts';

/** One client that the SDK serves: a `Server` of the SDK is never shared. */
export interface Client {
  readonly caller: Caller;
  readonly era: Era;
  readonly channel: Channel;
  readonly subscriptions: Subscriptions | undefined;
  /** 2025 era: the client has set a log level. In the 2026 era each request says so itself. */
  readonly wantsLogs: () => boolean;
}

/** The dependencies that the handlers of one client share. */
export interface HandlerContext {
  readonly sdk: Sdk;
  readonly deps: McpDeps;
  readonly options: McpOptions;
  readonly responder: Responder;
  readonly client: Client;
}

export type Params = JsonObject;

interface AnyParams {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: Params };
    validate(value: unknown): { readonly value: Params };
  };
}

/** Accepts any params: the handlers check what they use and report errors in our own words. */
export const anyParams: AnyParams = {
  '~standard': { version: 1, vendor: 'fourfold', validate: (value) => ({ value: value as Params }) },
};

function askAs({ deps, responder, client }: HandlerContext, ctx: ServerContext): Ask {
  return async (tool, args) => {
    const card = deps.registry.find(tool);
    if (card === undefined) throw new Error(`a catalog asks for the tool ${tool}, which does not exist`);
    const { era, caller } = client;
    const outcome = await responder.run({
      name: tool,
      card,
      args,
      key: undefined,
      era,
      caller,
      signal: ctx.mcpReq.signal,
    });
    if (!outcome.ok) throw outcome.fault;
    return outcome.value;
  };
}

/** A Fault becomes a protocol error; anything else is a bug, logged under the id that the client sees. */
export function toProtocolError({ sdk, deps, client }: HandlerContext, error: unknown): Error {
  if (error instanceof sdk.ProtocolError) return error;
  const fault = toFault(error, deps.ids, (id) => deps.log.error({ id, err: error }, 'a request failed'));
  const { code, message, data } = toRpcError(fault, client.era);
  return new sdk.ProtocolError(code, message, data);
}

export function textOf(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== 'string') throw faults.INVALID_PARAMS({ why: `${name} must be text` });
  return value;
}

export const cursorOf = (params: JsonObject): string | undefined =>
  params['cursor'] === undefined ? undefined : textOf(params, 'cursor');

export function objectOf(params: JsonObject, name: string): JsonObject {
  const value = params[name];
  if (!isObject(value)) throw faults.INVALID_PARAMS({ why: `${name} must be an object` });
  return value;
}

/** Registers a method whose Faults become protocol errors. */
export function registerHandler(
  server: Server,
  context: HandlerContext,
  method: string,
  answer: (params: Params, ask: Ask) => Promise<JsonObject>,
): void {
  server.setRequestHandler(method, { params: anyParams }, async (params, ctx) => {
    try {
      return { ...(await answer(params, askAs(context, ctx))) };
    } catch (error) {
      throw toProtocolError(context, error);
    }
  });
}

export const withCursor = (nextCursor: string | undefined): JsonObject =>
  nextCursor === undefined ? {} : { nextCursor };
