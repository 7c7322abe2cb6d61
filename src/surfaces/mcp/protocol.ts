import { isObject } from '#kernel/json/is-object.ts';
import { limits } from '#kernel/limits.ts';

/** The protocol constants that are needed before the SDK is loaded. A test compares them with the SDK's own. */
export const modernRevision = '2026-07-28';
export const legacyRevisions: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

export const metaKeys = {
  prefix: 'io.modelcontextprotocol/',
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
} as const;

export const skillsExtension = 'io.modelcontextprotocol/skills';

/** Methods of the protocol: a tool with the same name is reached only by `tools/call`. */
const protocolRequests = new Set([
  'ping',
  'initialize',
  'completion/complete',
  'logging/setLevel',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'resources/directory/read',
  'tools/call',
  'tools/list',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
  'tasks/update',
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
  'server/discover',
  'subscriptions/listen',
  'skills/list',
  'skills/get',
]);

export const isProtocolMethod = (method: string): boolean =>
  protocolRequests.has(method) || method.startsWith('notifications/');

export const logLevels: ReadonlySet<string> = new Set([
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
]);

/** A 2025-era client asks for log messages. */
export const setsLogLevel = ({ method, params }: JsonObject): boolean =>
  method === 'logging/setLevel' && isObject(params) && logLevels.has(params['level'] as string);

export type RequestId = string | number;

export type JsonObject = { readonly [key: string]: unknown };

/** The answer repeats the id, so a long one would make a long answer. */
export const isLongId = (value: unknown): boolean => typeof value === 'string' && value.length > limits.requestIdChars;

/** The protocol allows strings and integers; JSON-RPC's null is not an id here. */
export const isRequestId = (value: unknown): value is RequestId =>
  (typeof value === 'string' && !isLongId(value)) || Number.isSafeInteger(value);
