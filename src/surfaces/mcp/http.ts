import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { claimsRevision } from './client-meta.ts';
import { readHandshake } from './handshake.ts';
import { abortOnDisconnect, toWebRequest, writeJson, writeResponse } from './http-exchange.ts';
import { createHttpFastPath, sessionIdOf } from './http-fast-path.ts';
import type { McpDeps, McpOptions } from './mcp-deps.ts';
import { createModernHandlers } from './modern-handlers.ts';
import { notJsonRpc, parseMessage, refusalText } from './parse-message.ts';
import type { JsonObject } from './protocol.ts';
import { isPlausible } from './recognise.ts';
import { createResponder } from './responder.ts';
import { loadSdk, type Sdk } from './sdk.ts';
import { createSessions, type Session } from './sessions.ts';

export type McpHttp = ReturnType<typeof createMcpHttp>;

/** The SDK's own messages: clients know them. */
const noSession = {
  missing: [400, -32000, 'Bad Request: Mcp-Session-Id header is required'],
  unknown: [404, -32001, 'Session not found'],
} as const;

const withRepairedHandshake = (message: JsonObject): JsonObject =>
  message['method'] === 'initialize' && !claimsRevision(message['params'])
    ? { ...message, params: readHandshake(message['params']).params }
    : message;

/** Streamable HTTP on one path, both eras. */
export function createMcpHttp(deps: McpDeps, options: McpOptions = {}) {
  const responder = createResponder(deps);
  const sessions = createSessions(deps, options, responder);
  const modern = createModernHandlers(deps, options, responder);
  const tryFastPath = createHttpFastPath(deps, options, responder, sessions);
  let loading: Promise<Sdk> | undefined;
  let isClosed = false;

  function load(): Promise<Sdk> {
    loading ??= loadSdk().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  async function findSession(sdk: Sdk, req: IncomingMessage, message: JsonObject | undefined, caller: Caller) {
    const id = sessionIdOf(req);
    const session = id === undefined ? undefined : sessions.find(id, caller);
    if (session !== undefined) return session;
    if (message?.['method'] === 'initialize') return sessions.open(sdk, caller);
    return id === undefined ? noSession.missing : noSession.unknown;
  }

  async function serveSession(
    res: ServerResponse,
    session: Session,
    request: Request,
    message: JsonObject | undefined,
  ): Promise<void> {
    const release = session.hold();
    if (message !== undefined) request.signal.addEventListener('abort', () => session.abandon(message), { once: true });
    try {
      await writeResponse(res, await session.serve(request, message), request.signal);
    } finally {
      release();
    }
  }

  async function passOn(
    req: IncomingMessage,
    res: ServerResponse,
    message: JsonObject | undefined,
    caller: Caller,
  ): Promise<void> {
    const sdk = await load();
    const request = toWebRequest(req, abortOnDisconnect(res).signal);
    if (!deps.httpSessions || !(await sdk.isLegacyRequest(request, message))) {
      await writeResponse(res, await modern.fetch(sdk, request, message, caller), request.signal);
      return;
    }
    const session = await findSession(sdk, req, message, caller);
    if ('serve' in session) {
      await serveSession(res, session, request, message);
      return;
    }
    const [status, code, text] = session;
    writeJson(res, status, JSON.stringify({ jsonrpc: '2.0', error: { code, message: text }, id: null }));
  }

  return {
    /** The caller must be authenticated, Host and Origin checked, and the body complete. */
    async handle(req: IncomingMessage, res: ServerResponse, body: Buffer, caller: Caller) {
      if (isClosed) {
        writeJson(res, 503, refusalText(faults.SHUTTING_DOWN()));
        return;
      }
      if (req.method !== 'POST') {
        await passOn(req, res, undefined, caller);
        return;
      }
      const parsed = parseMessage(body);
      if (!parsed.ok) {
        writeJson(res, 400, refusalText(parsed.fault, parsed));
        return;
      }
      const { message } = parsed;
      const taken = options.isFastPathOff ? undefined : tryFastPath(req, res, message, caller);
      if (taken !== undefined) await taken;
      else if (isPlausible(message)) await passOn(req, res, withRepairedHandshake(message), caller);
      else writeJson(res, 400, refusalText(notJsonRpc(), message));
    },
    async close() {
      isClosed = true;
      await Promise.all([sessions.close(), modern.close()]);
    },
  };
}
