import type { Era } from '#kernel/tool/print-fault.ts';
import { isCapability, isClientInfo } from './client-facts.ts';
import { isObject, metaKeys, modernRevision } from './protocol.ts';

const isRegularClientInfo = (info: unknown): boolean =>
  info === undefined || (isClientInfo(info) && info['icons'] === undefined);

function areRegularCapabilities(capabilities: unknown): boolean {
  if (!isObject(capabilities)) return false;
  for (const name in capabilities) if (!isCapability(name, capabilities[name])) return false;
  return true;
}

/**
 * The era of a request by its `_meta`, when every reserved key in it is one that the SDK certainly accepts and that asks
 * for nothing beyond an answer. Undefined: a progress token, a log level, a task, or something malformed; the SDK judges it.
 */
export function eraOfMeta(meta: unknown): Era | undefined {
  if (meta === undefined) return 'legacy';
  if (!isObject(meta)) return undefined;
  let reservedCount = 0;
  for (const key in meta) {
    if (key === 'progressToken') return undefined;
    if (key.startsWith(metaKeys.prefix)) reservedCount += 1;
  }
  if (reservedCount === 0) return 'legacy';
  const info = meta[metaKeys.clientInfo];
  const expectedCount = info === undefined ? 2 : 3;
  if (meta[metaKeys.protocolVersion] !== modernRevision || reservedCount !== expectedCount) return undefined;
  return isRegularClientInfo(info) && areRegularCapabilities(meta[metaKeys.clientCapabilities]) ? 'modern' : undefined;
}

/** Whether a message names a revision by itself, rightly or not. */
export const claimsRevision = (params: unknown): boolean =>
  isObject(params) && isObject(params['_meta']) && metaKeys.protocolVersion in params['_meta'];
