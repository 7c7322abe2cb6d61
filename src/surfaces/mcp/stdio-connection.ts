import type { Server } from '@modelcontextprotocol/server';
import type { Caller } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { type Era, toRpcError } from '#kernel/tool/print-fault.ts';
import { createSubscriptions, watchTenant } from './announcements.ts';
import { errorText } from './answers.ts';
import type { Client } from './client.ts';
import { claimsRevision } from './envelope.ts';
import { createEraPin } from './era-pin.ts';
import { createFront } from './front.ts';
import { readHandshake } from './handshake.ts';
import { createInFlight } from './in-flight.ts';
import { initializeResult } from './introduction.ts';
import type { McpDeps, McpOptions } from './mcp-deps.ts';
import { notJsonRpc, refusalText } from './parse-message.ts';
import { isObject, isRequestId, type JsonObject, metaKeys, modernRevision, type RequestId } from './protocol.ts';
import { isPlausible, recognise, recognisePlain } from './recognise.ts';
import type { Sdk } from './sdk.ts';
import { createServer } from './server-factory.ts';
import { createStdioBridge } from './stdio-bridge.ts';

export interface ConnectionOwner {
  send(text: string): void;
  /** Nothing is left to answer. */
  idle(): void;
  /** The client asks the connection to end. */
  exit(): void;
}

export interface StdioConnection {
  readonly isIdle: boolean;
  receive(message: JsonObject): void;
  /** 2025 era: asks the client whether it is still there. */
  ping(): void;
  close(): Promise<void>;
}

/** The id of what the SDK is told of the past; a client would have to mean it to use the same. */
const historyId = 'fourfold/history';

const isEmpty = (params: unknown): boolean =>
  params === undefined || (isObject(params) && Object.keys(params).length === 0);

/** One client on stdio: the front answers what it knows wholly, the SDK the rest, in one order of protocol state. */
export function createStdioConnection(
  deps: McpDeps,
  options: McpOptions,
  caller: Caller,
  owner: ConnectionOwner,
): StdioConnection {
  const { registry, ids, log } = deps;
  const front = createFront(deps);
  const pin = createEraPin();
  const inFlight = createInFlight({ send: owner.send, idle: checkIdle, failed });
  const bridge = createStdioBridge({
    createServer: createFor,
    history,
    send: owner.send,
    answered,
    invalid,
    failed: sdkFailed,
  });
  const subscriptions = createSubscriptions(deps, caller, (told) =>
    owner.send(JSON.stringify({ jsonrpc: '2.0', ...told })),
  );
  let pingId: string | undefined;
  let handshake: JsonObject | undefined;
  let isInitialized = false;
  let wantsLogs = false;
  let stopModern = () => {};

  const isIdle = (): boolean => inFlight.count === 0 && bridge.pendingCount === 0;

  function checkIdle(): void {
    if (isIdle()) owner.idle();
  }

  function answered(id: RequestId): void {
    pin.answered(id);
    checkIdle();
  }

  function failed(error: unknown, id: RequestId | undefined): void {
    const bugId = ids.short();
    log.error({ id: bugId, err: error }, 'a message could not be answered');
    const fault = faults.INTERNAL({ id: bugId }, { id: bugId, message: 'The server met an unexpected condition.' });
    if (id !== undefined) owner.send(errorText(id, toRpcError(fault, pin.era ?? 'legacy')));
  }

  function sdkFailed(error: unknown, message: JsonObject | undefined): void {
    if (message === undefined) log.debug({ err: error }, 'the protocol layer reports');
    else failed(error, isRequestId(message['id']) ? message['id'] : undefined);
  }

  function invalid(message: JsonObject): void {
    owner.send(refusalText(notJsonRpc(), message));
  }

  function createFor(sdk: Sdk, era: Era): Server {
    pin.served(era);
    const isModern = era === 'modern';
    const client: Client = {
      caller,
      era,
      channel: 'stdio',
      subscriptions: isModern ? undefined : subscriptions,
      wantsLogs: () => wantsLogs,
    };
    const server = createServer({ sdk, deps, options, front, client });
    stopModern();
    if (isModern) {
      // The SDK hands these on to whoever listens for them, and to nobody else.
      stopModern = watchTenant(deps, caller.tenant, (told) => {
        server.notification(told).catch((error: unknown) => sdkFailed(error, undefined));
      });
    }
    return server;
  }

  /** Puts the SDK where the front has brought the connection. */
  function history(): readonly JsonObject[] {
    if (handshake !== undefined) {
      const told = [{ jsonrpc: '2.0', id: historyId, method: 'initialize', params: handshake }];
      return isInitialized ? [...told, { jsonrpc: '2.0', method: 'notifications/initialized' }] : told;
    }
    if (pin.era === 'legacy') return [{ jsonrpc: '2.0', id: historyId, method: 'ping' }];
    if (pin.era === undefined) return [];
    const _meta = { [metaKeys.protocolVersion]: modernRevision, [metaKeys.clientCapabilities]: {} };
    return [{ jsonrpc: '2.0', id: historyId, method: 'tools/list', params: { _meta } }];
  }

  function initialize(id: RequestId, message: JsonObject): void {
    const { params, isOdd } = readHandshake(message['params']);
    if (bridge.isEngaged || pin.era === 'modern') {
      bridge.deliver({ ...message, params });
      return;
    }
    pin.pin('legacy');
    handshake = params;
    owner.send(front.answers.resultText(id, 'legacy', initializeResult(deps, 'stdio', params['protocolVersion'])));
    if (!isOdd) return;
    const { name, version } = deps.server;
    owner.send(JSON.stringify({ jsonrpc: '2.0', method: 'server/ready', params: { name, version } }));
    subscriptions.start();
  }

  /** What opens, keeps and ends a connection. False: it is something else. */
  function takeLifecycle(message: JsonObject): boolean {
    const { id, method, params } = message;
    if (message['jsonrpc'] !== '2.0') return false;
    if (isRequestId(id)) {
      if (method === 'initialize' && !claimsRevision(params)) initialize(id, message);
      else if (method === 'ping' && pin.era !== 'modern' && isEmpty(params))
        owner.send(front.answers.resultText(id, 'legacy', '{}'));
      else if (method === 'shutdown') owner.send(front.answers.resultText(id, pin.era ?? 'legacy', '{}'));
      else return false;
      return true;
    }
    if (id !== undefined) return false;
    if (method === 'exit') owner.exit();
    else if (method === 'notifications/initialized') becomeInitialized(message);
    else if (method === 'notifications/cancelled' && isObject(params) && inFlight.cancel(params['requestId']))
      return true;
    else return typeof method === 'string' && method.startsWith('notifications/') && !bridge.isEngaged;
    return true;
  }

  function becomeInitialized(message: JsonObject): void {
    subscriptions.start();
    isInitialized = true;
    if (bridge.isEngaged) bridge.deliver(message);
  }

  /** Answers to our own pings, and to nothing we asked. */
  function takeResponse(message: JsonObject): boolean {
    if ('method' in message || message['jsonrpc'] !== '2.0') return false;
    if (message['id'] === pingId && pingId !== undefined) return true;
    return !bridge.isEngaged && ('result' in message || 'error' in message);
  }

  return {
    get isIdle() {
      return isIdle();
    },
    receive(message) {
      if (options.isFrontOff) {
        bridge.deliver(message);
        return;
      }
      const regular = recognise(message, registry);
      if (regular !== undefined) {
        const isOurs = regular.kind === 'call' ? !wantsLogs : options.fixtures === undefined;
        if (isOurs && pin.admits(regular, bridge.isEngaged)) {
          if (regular.kind === 'call') inFlight.run(regular.id, (signal) => front.answerCall(regular, caller, signal));
          else owner.send(front.answerNow(regular, caller));
          return;
        }
        pin.watch(regular);
        bridge.deliver(message);
        return;
      }
      if (takeLifecycle(message) || takeResponse(message)) return;
      const plain = recognisePlain(message, registry);
      if (plain !== undefined) {
        inFlight.run(plain.id, (signal) => front.answerPlain(plain, caller, signal));
        return;
      }
      if (!isPlausible(message)) {
        invalid(message);
        return;
      }
      if (message['method'] === 'logging/setLevel') wantsLogs = true;
      bridge.deliver(message);
    },
    ping() {
      if (pin.era !== 'legacy' || !isInitialized) return;
      pingId = `ping-${ids.short()}`;
      owner.send(JSON.stringify({ jsonrpc: '2.0', id: pingId, method: 'ping' }));
    },
    async close() {
      inFlight.abortAll();
      subscriptions.stop();
      stopModern();
      await bridge.close();
    },
  };
}
