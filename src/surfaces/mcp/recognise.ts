import { isObject } from '#kernel/json/is-object.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Era } from '#kernel/tool/fault-forms.ts';
import type { Registry } from '#kernel/tool/registry.ts';
import { claimsRevision, eraOfMeta } from './client-meta.ts';
import { isProtocolMethod, isRequestId, type JsonObject, metaKeys, type RequestId } from './protocol.ts';

export interface FastPathCall {
  readonly kind: 'call';
  readonly id: RequestId;
  readonly era: Era;
  readonly card: Card;
  /** As the client spelled it. */
  readonly name: string;
  readonly args: unknown;
  readonly key: string | undefined;
}

/** A message that is fully understood, so it can be answered without the SDK. */
export type FastPathRequest =
  | FastPathCall
  /** `tools/call` without a name; documented clients expect a result, not an error. */
  | { readonly kind: 'nameless'; readonly id: RequestId; readonly era: 'legacy' }
  | { readonly kind: 'list'; readonly id: RequestId; readonly era: Era }
  | { readonly kind: 'discover'; readonly id: RequestId; readonly era: 'modern' };

/** Four names and a loop: building a set costs more than the whole recognition. */
function hasOnly(record: JsonObject, a: string, b: string, c: string, d: string): boolean {
  for (const key in record) if (key !== a && key !== b && key !== c && key !== d) return false;
  return true;
}

/** The idempotency key of a request. A value other than text becomes an empty key, which `invoke` rejects. */
export function keyOf(meta: unknown): string | undefined {
  if (!isObject(meta)) return undefined;
  const key = meta['fourfold/idempotencyKey'] ?? meta['idempotencyKey'];
  return key === undefined || typeof key === 'string' ? key : '';
}

/** Clients put `_meta` among the arguments too; it is always accepted (RULINGS R2). */
export function withoutMeta(args: unknown): unknown {
  if (!isObject(args) || args['_meta'] === undefined) return args;
  const { _meta, ...rest } = args;
  return rest;
}

export const findExposed = (registry: Registry, name: string): Card | undefined => {
  const card = registry.find(name);
  return card?.expose.includes('mcp') ? card : undefined;
};

function recogniseCall(id: RequestId, params: JsonObject, registry: Registry): FastPathRequest | undefined {
  if (!hasOnly(params, 'name', 'arguments', '_meta', '')) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  if (args !== undefined && !isObject(args)) return undefined;
  const era = eraOfMeta(meta);
  if (era === undefined) return undefined;
  if (name === undefined || name === null || name === '')
    return era === 'legacy' ? { kind: 'nameless', id, era } : undefined;
  if (typeof name !== 'string') return undefined;
  const card = findExposed(registry, name);
  if (card === undefined || card.streams) return undefined;
  return { kind: 'call', id, era, card, name, args: withoutMeta(args), key: keyOf(meta) };
}

function recogniseParamless(id: RequestId, method: string, params: JsonObject): FastPathRequest | undefined {
  if (!hasOnly(params, '_meta', '', '', '')) return undefined;
  const era = eraOfMeta(params['_meta']);
  if (era === undefined) return undefined;
  if (method === 'tools/list') return { kind: 'list', id, era };
  return era === 'modern' ? { kind: 'discover', id, era } : undefined;
}

const noParams: JsonObject = {};

export function recognise(message: JsonObject, registry: Registry): FastPathRequest | undefined {
  const { id, method } = message;
  if (method !== 'tools/call' && method !== 'tools/list' && method !== 'server/discover') return undefined;
  if (message['jsonrpc'] !== '2.0' || !isRequestId(id) || !hasOnly(message, 'jsonrpc', 'id', 'method', 'params')) {
    return undefined;
  }
  const params = message['params'] === undefined ? noParams : message['params'];
  if (!isObject(params)) return undefined;
  return method === 'tools/call' ? recogniseCall(id, params, registry) : recogniseParamless(id, method, params);
}

/** A method that is a tool's own name, or unknown (RULINGS R1). */
export interface PlainRequest {
  /** Undefined for a notification, which runs without an answer. */
  readonly id: RequestId | undefined;
  readonly era: Era;
  readonly method: string;
  readonly card: Card | undefined;
  /** Anything but an object is rejected as arguments. */
  readonly params: unknown;
}

/** A plain method reports no progress and sends no log messages, whatever its `_meta` requests. */
function eraOfPlain(params: unknown): Era | undefined {
  if (!claimsRevision(params)) return 'legacy';
  const { progressToken, [metaKeys.logLevel]: logLevel, ...meta } = (params as { readonly _meta: JsonObject })._meta;
  return eraOfMeta(meta);
}

/**
 * Undefined: the message belongs to the protocol or is malformed, or the 2026 era has its own rules for rejecting it.
 */
export function recognisePlain(message: JsonObject, registry: Registry): PlainRequest | undefined {
  const { id, method, params } = message;
  if (typeof method !== 'string' || message['jsonrpc'] !== '2.0' || isProtocolMethod(method)) return undefined;
  if ((id !== undefined && !isRequestId(id)) || !hasOnly(message, 'jsonrpc', 'id', 'method', 'params'))
    return undefined;
  const era = eraOfPlain(params);
  const card = method.includes('/') ? findExposed(registry, method) : undefined;
  if (era === undefined || (era === 'modern' && card === undefined)) return undefined;
  return { id, era, method, card, params };
}

/** A cheap check before the SDK is loaded. */
export const isPlausible = (message: JsonObject): boolean =>
  message['jsonrpc'] === '2.0' &&
  (message['id'] === undefined || isRequestId(message['id'])) &&
  (typeof message['method'] === 'string' || 'result' in message || 'error' in message);
