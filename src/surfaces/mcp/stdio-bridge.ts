import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { isObject } from '#kernel/json/is-object.ts';
import { boundError, type Era } from '#kernel/tool/fault-forms.ts';
import type { JsonObject, RequestId } from './protocol.ts';
import { loadSdk, type Sdk } from './sdk.ts';

export interface BridgeOwner {
  /** One server per connection; the SDK decides the era. */
  createServer(sdk: Sdk, era: Era): Server;
  /** Messages that the fast path answered: the SDK gets them first, and its answers are dropped. */
  history(): readonly JsonObject[];
  send(text: string): void;
  /** A delivered request was answered or cancelled. */
  settled(id: RequestId): void;
  /** The message is not JSON-RPC. */
  invalid(message: JsonObject): void;
  /** The SDK failed to load or reported an error; `message` is undefined if it concerns none. */
  failed(error: unknown, message: JsonObject | undefined): void;
}

export type StdioBridge = ReturnType<typeof createStdioBridge>;

const isLasting = (message: JsonObject): boolean => message['method'] === 'subscriptions/listen';
const cancelledId = (message: JsonObject): unknown =>
  message['method'] === 'notifications/cancelled' && isObject(message['params'])
    ? message['params']['requestId']
    : undefined;

/** Connects stdio to the SDK, which is loaded with the first delivered message. */
export function createStdioBridge(owner: BridgeOwner) {
  const pending = new Set<unknown>();
  const thrownAway = new Set<unknown>();
  let waiting: JsonObject[] = [];
  let isEngaged = false;
  let give: ((message: JsonObject) => void) | undefined;
  let isClosed = false;
  let close = async () => {};

  function settle(id: unknown): void {
    if (pending.delete(id)) owner.settled(id as RequestId);
  }

  function toTransport(): Transport {
    return {
      async start() {},
      async send(message) {
        if ('id' in message && !('method' in message)) {
          if (thrownAway.delete(message.id)) return;
          owner.send(JSON.stringify('error' in message ? boundError(message) : message));
          settle(message.id);
          return;
        }
        owner.send(JSON.stringify(message));
      },
      async close() {
        this.onclose?.();
      },
    };
  }

  function route(sdk: Sdk, transport: Transport, message: JsonObject): void {
    if (!sdk.isMessage(message)) {
      owner.invalid(message);
      return;
    }
    if ('method' in message && 'id' in message && !isLasting(message)) pending.add(message['id']);
    settle(cancelledId(message));
    transport.onmessage?.(message as JSONRPCMessage);
  }

  async function engage(): Promise<void> {
    const sdk = await loadSdk();
    if (isClosed) return;
    const transport = toTransport();
    const handle = sdk.serveStdio(({ era }) => owner.createServer(sdk, era), {
      transport,
      onerror: (error) => owner.failed(error, undefined),
    });
    close = () => handle.close();
    for (const message of owner.history()) {
      if ('id' in message) thrownAway.add(message['id']);
      transport.onmessage?.(message as JSONRPCMessage);
    }
    give = (message) => route(sdk, transport, message);
    const early = waiting;
    waiting = [];
    for (const message of early) give(message);
  }

  return {
    get isEngaged() {
      return isEngaged;
    },
    /** Requests that the SDK has not answered yet. */
    get pendingCount() {
      return pending.size + waiting.length;
    },
    deliver(message: JsonObject) {
      if (give !== undefined) {
        give(message);
        return;
      }
      waiting.push(message);
      if (isEngaged) return;
      isEngaged = true;
      engage().catch((error: unknown) => {
        for (const unserved of waiting) owner.failed(error, unserved);
        waiting = [];
      });
    },
    close() {
      isClosed = true;
      return close();
    },
  };
}
