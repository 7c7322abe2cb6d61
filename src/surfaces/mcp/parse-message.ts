import { isUtf8 } from 'node:buffer';
import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { readOuterMembers } from '#kernel/json/outer-members.ts';
import { scanJson } from '#kernel/json/scan.ts';
import { limits } from '#kernel/limits.ts';
import { toRpcError } from '#kernel/tool/fault-forms.ts';
import { isLongId, isRequestId, type JsonObject, type RequestId } from './protocol.ts';

export type Parsed =
  | { readonly ok: true; readonly message: JsonObject }
  | { readonly ok: false; readonly fault: Fault; readonly id?: RequestId };

const shapeFlaws = {
  'too-deep': `a message may nest at most ${limits.messageDepth} levels`,
  'too-many': `a message may have at most ${limits.messageValuesCount} JSON values`,
} as const;

const refusal = (fault: Fault): Parsed => ({ ok: false, fault });

/**
 * A request gets an answer even if its message is not parsed. Only a request has a method: any other id is one of ours
 * and may equal one of the client's.
 */
function refuseShape(bytes: Buffer, why: string): Parsed {
  const fault = faults.INVALID_REQUEST({ why });
  const members = readOuterMembers(bytes, ['id', 'method']);
  const id = members.get('id');
  return typeof members.get('method') === 'string' && isRequestId(id) ? { ok: false, fault, id } : refusal(fault);
}

export const tooLarge = (): Fault =>
  faults.INVALID_REQUEST(
    { why: `a message may have at most ${limits.messageBytes} bytes` },
    { limit: limits.messageBytes },
  );

export const notJsonRpc = (): Fault =>
  faults.INVALID_REQUEST({ why: 'not a JSON-RPC 2.0 request, notification or response' });

/** Parses bytes into one JSON object, or returns a fault. Nothing is parsed before it is measured. */
export function parseMessage(bytes: Buffer): Parsed {
  if (bytes.length > limits.messageBytes) return refusal(tooLarge());
  const shape = scanJson(bytes, limits.messageDepth, limits.messageValuesCount);
  if (shape !== 'ok') return refuseShape(bytes, shapeFlaws[shape]);
  if (!isUtf8(bytes)) return refusal(faults.PARSE_ERROR({ why: 'the message is not UTF-8' }));
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return refusal(faults.PARSE_ERROR({ why: 'the message is not JSON' }));
  }
  if (Array.isArray(value)) return refusal(faults.INVALID_REQUEST({ why: 'send one message at a time, not a batch' }));
  if (!isObject(value)) return refusal(faults.INVALID_REQUEST({ why: 'a message must be a JSON object' }));
  if (isLongId(value['id'])) {
    return refusal(faults.INVALID_REQUEST({ why: `an id may have at most ${limits.requestIdChars} characters` }));
  }
  return { ok: true, message: value };
}

/** The answer to an invalid message: with its id if it can be read, else null. */
export function refusalText(fault: Fault, message: { readonly id?: unknown } = {}): string {
  const id: RequestId | null = isRequestId(message.id) ? message.id : null;
  return JSON.stringify({ jsonrpc: '2.0', error: toRpcError(fault, 'legacy'), id });
}
