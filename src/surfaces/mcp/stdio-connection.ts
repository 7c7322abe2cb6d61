import type { Server } from '@modelcontextprotocol/server';
import type { Caller } from '#kernel/call.ts';
import { toFault } from '#kernel/fault/to-fault.ts';
import { type Era, toRpcError } from '#kernel/tool/fault-forms.ts';
import { createSubscriptions, watchTenant } from './announcements.ts';
import { errorText } from './answers.ts';
import { createEraPin } from './era-pin.ts';
import { createInFlight } from './in-flight.ts';
import { type McpDeps, type McpOptions, mcpLimits } from './mcp-deps.ts';
import { notJsonRpc, refusalText } from './parse-message.ts';
import { isRequestId, type JsonObject, type RequestId, setsLogLevel } from './protocol.ts';
import { type FastPathRequest, isPlausible, recognise, recognisePlain } from './recognise.ts';
import { createResponder } from './responder.ts';
import type { Sdk } from './sdk.ts';
import { createServer } from './server-factory.ts';
import { createStdioBridge } from './stdio-bridge.ts';
import { createLifecycle } from './stdio-lifecycle.ts';

export interface ConnectionOwner {
  send(text: string): void;
  /** A call has ended. */
  settled(): void;
  /** The client asks the connection to end. */
  exit(): void;
}

/** One client on stdio: the fast path answers what it fully understands, the SDK the rest. */
export function createStdioConnection(
  deps: McpDeps,
  options: McpOptions,
  owner: Caller,
  { send, settled, exit }: ConnectionOwner,
) {
  const { registry, ids, log } = deps;
  const caller: Caller = { ...owner, root: () => lifecycle.findRoot() };
  const responder = createResponder(deps);
  const pin = createEraPin();
  const inFlight = createInFlight({ send, settled, failed });
  const subscriptions = createSubscriptions(deps, caller, (announcement) =>
    send(JSON.stringify({ jsonrpc: '2.0', ...announcement })),
  );
  const lifecycle = createLifecycle({
    deps,
    responder,
    pin,
    inFlight,
    bridge: () => bridge,
    send,
    ready: subscriptions.start,
    exit,
  });
  const bridge = createStdioBridge({
    createServer: createFor,
    history: lifecycle.history,
    send,
    settled(id) {
      pin.answered(id);
      settled();
    },
    invalid,
    failed: sdkFailed,
  });
  let wantsLogs = false;
  let stopModern = () => {};

  function failed(error: unknown, id: RequestId | undefined): void {
    const fault = toFault(error, ids, (bugId) => log.error({ id: bugId, err: error }, 'answering a message failed'));
    if (id !== undefined) send(errorText(id, toRpcError(fault, pin.era ?? 'legacy')));
  }

  function sdkFailed(error: unknown, message: JsonObject | undefined): void {
    if (message === undefined) log.debug({ err: error }, 'MCP SDK error');
    else failed(error, isRequestId(message['id']) ? message['id'] : undefined);
  }

  function invalid(message: JsonObject): void {
    send(refusalText(notJsonRpc(), message));
  }

  function createFor(sdk: Sdk, era: Era): Server {
    pin.served(era);
    const isModern = era === 'modern';
    const client = {
      caller,
      era,
      channel: 'stdio' as const,
      subscriptions: isModern ? undefined : subscriptions,
      wantsLogs: () => wantsLogs,
    };
    const server = createServer({ sdk, deps, options, responder: responder, client });
    stopModern();
    if (isModern) {
      // The SDK forwards these only to clients that subscribed to them.
      stopModern = watchTenant(deps, caller.tenant, (announcement) => {
        server.notification(announcement).catch((error: unknown) => sdkFailed(error, undefined));
      });
    }
    return server;
  }

  function answerRegular(request: FastPathRequest): boolean {
    const isOurs = request.kind === 'call' ? !wantsLogs : options.fixtures === undefined;
    if (!isOurs || !pin.admits(request, bridge.isEngaged)) {
      pin.watch(request);
      return false;
    }
    if (request.kind === 'call') inFlight.run(request.id, (signal) => responder.answerCall(request, caller, signal));
    else send(responder.answerNow(request, caller));
    return true;
  }

  function tryFastPath(message: JsonObject): boolean {
    const request = recognise(message, registry);
    if (request !== undefined) return answerRegular(request);
    if (lifecycle.take(message)) return true;
    const plain = recognisePlain(message, registry);
    if (plain === undefined) return false;
    inFlight.run(plain.id, (signal) => responder.answerPlain(plain, caller, signal));
    return true;
  }

  return {
    /** Nothing is left to answer. */
    get isIdle() {
      return inFlight.count === 0 && bridge.pendingCount === 0;
    },
    /** The client runs the maximum number of calls. */
    get isBusy() {
      return inFlight.count + bridge.pendingCount >= mcpLimits.runningCallsCount;
    },
    receive(message: JsonObject): void {
      if (!options.isFastPathOff && tryFastPath(message)) return;
      if (!isPlausible(message)) {
        invalid(message);
        return;
      }
      wantsLogs ||= setsLogLevel(message);
      bridge.deliver(message);
    },
    ping: lifecycle.ping,
    async close() {
      inFlight.abortAll();
      subscriptions.stop();
      stopModern();
      await bridge.close();
    },
  };
}
