import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '#kernel/call.ts';
import { isObject } from '#kernel/json/is-object.ts';
import { abortOnDisconnect, writeAccepted, writeJson } from './http-exchange.ts';
import type { McpDeps, McpOptions } from './mcp-deps.ts';
import { isRequestId, type JsonObject, legacyRevisions, modernRevision } from './protocol.ts';
import { type FastPathRequest, type PlainRequest, recognise, recognisePlain } from './recognise.ts';
import type { Responder } from './responder.ts';
import type { Session, Sessions } from './sessions.ts';

const sessionHeader = 'mcp-session-id';

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

/** The 2025 era requires a client that accepts both forms of an answer. */
const acceptsBoth = ({ accept }: IncomingHttpHeaders): boolean =>
  accept?.includes('application/json') === true && accept.includes('text/event-stream');

/** Whether the headers are what the SDK would demand; if not, the SDK rejects the request. */
function admitsRegular(headers: IncomingHttpHeaders, request: FastPathRequest): boolean {
  if (!isJson(headers['content-type'])) return false;
  if (request.era === 'legacy') return acceptsBoth(headers) && isLegacyRevision(headers);
  if (!isModern(headers, methods[request.kind])) return false;
  return request.kind !== 'call' || headers['mcp-name'] === request.name;
}

/** Plain clients send what `curl` sends: no Accept header. */
const admitsPlain = (headers: IncomingHttpHeaders, { era, method }: PlainRequest): boolean =>
  isJson(headers['content-type']) && (era === 'legacy' ? isLegacyRevision(headers) : isModern(headers, method));

/** Belongs neither to a session nor to the 2026 era. */
const isAlone = (headers: IncomingHttpHeaders): boolean =>
  isJson(headers['content-type']) && isLegacyRevision(headers) && headers[sessionHeader] === undefined;

/** Answers over HTTP without the SDK. Undefined: the SDK must answer. */
export type HttpFastPath = (
  req: IncomingMessage,
  res: ServerResponse,
  message: JsonObject,
  caller: Caller,
) => Promise<void> | undefined;

const answered = Promise.resolve();

export function sessionIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers[sessionHeader];
  return typeof id === 'string' ? id : undefined;
}

export function createHttpFastPath(
  deps: McpDeps,
  options: McpOptions,
  responder: Responder,
  sessions: Sessions,
): HttpFastPath {
  const { registry, httpSessions } = deps;

  async function run(
    res: ServerResponse,
    id: unknown,
    session: Session | undefined,
    work: (signal: AbortSignal) => Promise<string | undefined>,
  ): Promise<void> {
    const controller = abortOnDisconnect(res);
    session?.running.set(id, controller);
    try {
      const text = await work(controller.signal);
      // The protocol allows no answer to a cancelled request.
      if (text === undefined || controller.signal.aborted) writeAccepted(res);
      else writeJson(res, 200, text);
    } finally {
      if (session?.running.get(id) === controller) session.running.delete(id);
    }
  }

  const findSession = (req: IncomingMessage, caller: Caller): Session | undefined => {
    const id = sessionIdOf(req);
    return id === undefined ? undefined : sessions.find(id, caller);
  };

  function takeRequest(req: IncomingMessage, res: ServerResponse, request: FastPathRequest, caller: Caller) {
    if (!admitsRegular(req.headers, request)) return undefined;
    const needsSession = httpSessions && request.era === 'legacy';
    const session = needsSession ? findSession(req, caller) : undefined;
    if (needsSession && session === undefined) return undefined;
    if (request.kind === 'call') {
      if (session?.wantsLogs) return undefined;
      return run(res, request.id, session, (signal) =>
        responder.answerCall(request, { ...caller, root: session?.caller.root }, signal),
      );
    }
    if (options.fixtures !== undefined) return undefined;
    writeJson(res, 200, responder.answerNow(request, caller));
    return answered;
  }

  function takePlain(req: IncomingMessage, res: ServerResponse, message: JsonObject, caller: Caller) {
    const plain = recognisePlain(message, registry);
    if (plain === undefined || !admitsPlain(req.headers, plain)) return undefined;
    return run(res, plain.id, undefined, (signal) => responder.answerPlain(plain, caller, signal));
  }

  /** These messages need no session. */
  function takeCourtesy(req: IncomingMessage, res: ServerResponse, { id, method }: JsonObject) {
    if (!isAlone(req.headers)) return undefined;
    if ((method === 'ping' || method === 'shutdown') && isRequestId(id)) {
      writeJson(res, 200, responder.answers.resultText(id, 'legacy', '{}'));
    } else if (method === 'exit' && id === undefined) {
      writeAccepted(res);
    } else return undefined;
    return answered;
  }

  function takeCancellation(req: IncomingMessage, res: ServerResponse, { method, params }: JsonObject, caller: Caller) {
    if (method !== 'notifications/cancelled' || !isObject(params)) return undefined;
    const controller = findSession(req, caller)?.running.get(params['requestId']);
    if (controller === undefined) return undefined;
    controller.abort();
    writeAccepted(res);
    return answered;
  }

  return (req, res, message, caller) => {
    const request = recognise(message, registry);
    if (request !== undefined) return takeRequest(req, res, request, caller);
    return (
      takeCourtesy(req, res, message) ??
      takeCancellation(req, res, message, caller) ??
      takePlain(req, res, message, caller)
    );
  };
}
