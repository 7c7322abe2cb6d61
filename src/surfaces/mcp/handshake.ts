import { isCapability, isClientInfo } from './client-meta.ts';
import { isObject, type JsonObject } from './protocol.ts';

const capabilityNames = ['experimental', 'sampling', 'elicitation', 'roots', 'extensions'] as const;

export interface Handshake {
  /** What the SDK is given in place of the client's own words. */
  readonly params: JsonObject;
  /** Written after a document's example rather than after the protocol: such a client may wait for `server/ready`. */
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

/** Reads an `initialize` as its sender meant it: no version, boolean capabilities and no `clientInfo` are not refused (RULINGS R1). */
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
