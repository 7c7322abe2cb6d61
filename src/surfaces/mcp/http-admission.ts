import type { IncomingHttpHeaders } from 'node:http';
import { legacyRevisions, modernRevision } from './protocol.ts';
import type { PlainRequest, Regular } from './recognise.ts';

export const sessionHeader = 'mcp-session-id';

const methods = {
  call: 'tools/call',
  nameless: 'tools/call',
  list: 'tools/list',
  discover: 'server/discover',
} as const;

const isJson = (type: string | undefined): boolean =>
  type === 'application/json' || (type !== undefined && /^application\/json; ?charset=utf-8$/i.test(type));

/** The 2025 era names its revision after `initialize`, or not at all. */
function isLegacyRevision(headers: IncomingHttpHeaders): boolean {
  const revision = headers['mcp-protocol-version'];
  return revision === undefined || legacyRevisions.includes(revision as string);
}

function isModern(headers: IncomingHttpHeaders, method: string): boolean {
  return headers['mcp-protocol-version'] === modernRevision && headers['mcp-method'] === method;
}

/** The 2025 era wants a client that can take an answer in either form. */
const acceptsBoth = ({ accept }: IncomingHttpHeaders): boolean =>
  accept?.includes('application/json') === true && accept.includes('text/event-stream');

/** Whether the headers of a regular request are what the SDK would demand; if not, it shall say so. */
export function admitsRegular(headers: IncomingHttpHeaders, regular: Regular): boolean {
  if (!isJson(headers['content-type'])) return false;
  if (regular.era === 'legacy') return acceptsBoth(headers) && isLegacyRevision(headers);
  if (!isModern(headers, methods[regular.kind])) return false;
  return regular.kind !== 'call' || headers['mcp-name'] === regular.name;
}

/** Plain clients send what `curl` sends: no word about what they accept. */
export const admitsPlain = (headers: IncomingHttpHeaders, { era, method }: PlainRequest): boolean =>
  isJson(headers['content-type']) && (era === 'legacy' ? isLegacyRevision(headers) : isModern(headers, method));

/** What is neither of a session nor of the 2026 era. */
export const isAlone = (headers: IncomingHttpHeaders): boolean =>
  isJson(headers['content-type']) && isLegacyRevision(headers) && headers[sessionHeader] === undefined;
