import { isObject } from '#kernel/json/is-object.ts';
import { claimsRevision } from './client-meta.ts';
import { createClientRoot } from './client-root.ts';
import type { EraPin } from './era-pin.ts';
import { readHandshake } from './handshake.ts';
import type { InFlight } from './in-flight.ts';
import { initializeResult } from './introduction.ts';
import type { McpDeps } from './mcp-deps.ts';
import { isRequestId, type JsonObject, metaKeys, modernRevision, type RequestId } from './protocol.ts';
import type { Responder } from './responder.ts';
import type { StdioBridge } from './stdio-bridge.ts';

export interface LifecycleOwner {
  readonly deps: McpDeps;
  readonly responder: Responder;
  readonly pin: EraPin;
  readonly inFlight: InFlight;
  bridge(): StdioBridge;
  send(text: string): void;
  /** The client is ready for notifications. */
  ready(): void;
  exit(): void;
}

/** The id of replayed messages; a client would have to choose it on purpose. */
const historyId = 'fourfold/history';

const isEmpty = (params: unknown): boolean =>
  params === undefined || (isObject(params) && Object.keys(params).length === 0);

/** Opens, keeps alive and ends a connection on stdio. */
export function createLifecycle({ deps, responder, pin, inFlight, bridge, send, ready, exit }: LifecycleOwner) {
  let handshake: JsonObject | undefined;
  let isInitialized = false;
  let pingId: string | undefined;
  let canListRoots = false;
  let rootsRequest: { readonly id: string; answer(message: JsonObject): void } | undefined;
  const root = createClientRoot(listRoots);

  function listRoots(): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const id = `roots-${deps.ids.short()}`;
    rootsRequest = { id, answer: ({ result }) => resolve(result) };
    send(JSON.stringify({ jsonrpc: '2.0', id, method: 'roots/list' }));
    return promise;
  }

  function initialize(id: RequestId, message: JsonObject): void {
    const { params, isOdd } = readHandshake(message['params']);
    deps.log.debug({ revision: params['protocolVersion'], client: params['clientInfo'], isOdd }, 'client connected');
    canListRoots = isObject(params['capabilities']) && isObject(params['capabilities']['roots']);
    if (bridge().isEngaged || pin.era === 'modern') {
      bridge().deliver({ ...message, params });
      return;
    }
    pin.pin('legacy');
    handshake = params;
    send(responder.answers.resultText(id, 'legacy', initializeResult(deps, 'stdio', params['protocolVersion'])));
    if (!isOdd) return;
    const { name, version } = deps.server;
    send(JSON.stringify({ jsonrpc: '2.0', method: 'server/ready', params: { name, version } }));
    ready();
  }

  function takeRequest(id: RequestId, message: JsonObject): boolean {
    const { method, params } = message;
    if (method === 'initialize' && !claimsRevision(params)) initialize(id, message);
    else if (method === 'ping' && pin.era !== 'modern' && isEmpty(params))
      send(responder.answers.resultText(id, 'legacy', '{}'));
    else if (method === 'shutdown') send(responder.answers.resultText(id, pin.era ?? 'legacy', '{}'));
    else return false;
    return true;
  }

  function takeNotification(message: JsonObject): boolean {
    const { method, params } = message;
    if (method === 'exit') {
      exit();
      return true;
    }
    if (method === 'notifications/initialized') {
      isInitialized = true;
      ready();
    }
    if (method === 'notifications/roots/list_changed') root.changed();
    if (method === 'notifications/cancelled' && isObject(params) && inFlight.cancel(params['requestId'])) return true;
    // Before the SDK is loaded, no other notification has any effect on it.
    return typeof method === 'string' && method.startsWith('notifications/') && !bridge().isEngaged;
  }

  /** Answers to our own requests. */
  function takeResponse(message: JsonObject): boolean {
    if (rootsRequest !== undefined && message['id'] === rootsRequest.id) {
      rootsRequest.answer(message);
      rootsRequest = undefined;
      return true;
    }
    if (pingId !== undefined && message['id'] === pingId) return true;
    return !bridge().isEngaged && ('result' in message || 'error' in message);
  }

  return {
    /** False if the message is something else. */
    take(message: JsonObject) {
      const { id } = message;
      if (message['jsonrpc'] !== '2.0') return false;
      if (!('method' in message)) return takeResponse(message);
      if (isRequestId(id)) return takeRequest(id, message);
      return id === undefined && takeNotification(message);
    },

    /** The messages that bring the SDK to the state that the fast path has reached. */
    history(): readonly JsonObject[] {
      const first = { jsonrpc: '2.0', id: historyId };
      if (handshake !== undefined) {
        const history = [{ ...first, method: 'initialize', params: handshake }];
        return isInitialized ? [...history, { jsonrpc: '2.0', method: 'notifications/initialized' }] : history;
      }
      if (pin.era === 'legacy') return [{ ...first, method: 'ping' }];
      if (pin.era === undefined) return [];
      const _meta = { [metaKeys.protocolVersion]: modernRevision, [metaKeys.clientCapabilities]: {} };
      return [{ ...first, method: 'tools/list', params: { _meta } }];
    },

    /** 2025 era: the folder that the client works in. */
    async findRoot(): Promise<string | undefined> {
      return canListRoots && isInitialized && pin.era === 'legacy' ? root.find() : undefined;
    },

    /** 2025 era: checks whether the client is still there. */
    ping() {
      if (pin.era !== 'legacy' || !isInitialized) return;
      pingId = `ping-${deps.ids.short()}`;
      send(JSON.stringify({ jsonrpc: '2.0', id: pingId, method: 'ping' }));
    },
  };
}
