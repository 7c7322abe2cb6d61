import { isObject } from '#kernel/json/is-object.ts';
import { isCapability, isClientInfo } from './client-meta.ts';
import type { JsonObject } from './protocol.ts';

const capabilityNames = ['experimental', 'sampling', 'elicitation', 'roots', 'extensions'] as const;

export interface Handshake {
  /** What the SDK gets instead of the client's own params. */
  readonly params: JsonObject;
  /** The client follows a document's example rather than the protocol: it may wait for `server/ready`. */
  readonly isOdd: boolean;
}

function isRegular(params: JsonObject): boolean {
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(protocolVersion)) return false;
  if (!isClientInfo(clientInfo) || !isObject(capabilities)) return false;
  if (Object.values(capabilities).some((value) => !isObject(value))) return false;
  return capabilityNames.every((name) => capabilities[name] === undefined || isCapability(name, capabilities[name]));
}

function repairCapabilities(told: unknown): JsonObject {
  const repaired: Record<string, unknown> = {};
  if (!isObject(told)) return repaired;
  for (const name of capabilityNames) {
    const value = told[name] === true ? {} : told[name];
    if (isCapability(name, value)) repaired[name] = value;
  }
  return repaired;
}

/**
 * Reads an `initialize` leniently: a missing version, boolean capabilities and a missing `clientInfo` are accepted
 * (RULINGS R1).
 */
export function readHandshake(told: unknown): Handshake {
  const params = isObject(told) ? told : {};
  if (isRegular(params)) return { params, isOdd: false };
  const { protocolVersion, capabilities, clientInfo } = params;
  return {
    params: {
      protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : '',
      capabilities: repairCapabilities(capabilities),
      clientInfo: isClientInfo(clientInfo) ? clientInfo : { name: 'unknown', version: '0' },
    },
    isOdd: true,
  };
}
