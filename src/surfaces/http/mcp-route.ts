import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Authenticate } from './authenticate.ts';
import type { CredentialWatch } from './credential-watch.ts';
import type { ErrorResponder } from './error-responses.ts';
import type { McpHandler } from './http-deps.ts';
import { collectBody } from './read-body.ts';

export interface McpRouteDeps {
  readonly mcp: McpHandler;
  readonly authenticate: Authenticate;
  readonly credentials: CredentialWatch;
  readonly errors: ErrorResponder;
  readonly bodyBytes: number;
}

export interface McpRoute {
  serve(req: IncomingMessage, res: ServerResponse): void;
  /** Settles when no call is running. Streams that a client holds open do not count. */
  idle(): Promise<void>;
}

const allowed = 'POST, GET, DELETE';
const noBody = Buffer.alloc(0);

export const isMcpPath = (url: string): boolean => url === '/mcp' || url.startsWith('/mcp?');

/** Bypasses the router: every call of every agent comes here. */
export function createMcpRoute({ mcp, authenticate, credentials, errors, bodyBytes }: McpRouteDeps): McpRoute {
  let callCount = 0;
  const waiting: (() => void)[] = [];

  const refuse = (req: IncomingMessage, res: ServerResponse, error: unknown) => errors.respond(req, res, error, 'rpc');

  function endCall(): void {
    callCount -= 1;
    if (callCount === 0) for (const settle of waiting.splice(0)) settle();
  }

  async function answer(req: IncomingMessage, res: ServerResponse, body: Buffer, caller: Caller): Promise<void> {
    try {
      await mcp.handle(req, res, body, caller);
    } catch (error) {
      refuse(req, res, error);
    } finally {
      if (req.method !== 'GET') endCall();
    }
  }

  function serveCall(req: IncomingMessage, res: ServerResponse, caller: Caller): void {
    callCount += 1;
    collectBody(req, bodyBytes, (body) => {
      if (body instanceof Buffer) {
        void answer(req, res, body, caller);
        return;
      }
      if (body === 'too-large') {
        refuse(req, res, faults.RESOURCE_LIMIT({ what: 'The body', limit: bodyBytes, unit: 'bytes' }));
      }
      endCall();
    });
  }

  function serveProven(req: IncomingMessage, res: ServerResponse, caller: Caller | Fault): void {
    if (caller instanceof Fault) {
      refuse(req, res, caller);
    } else if (req.method === 'GET') {
      credentials.add(req, res);
      void answer(req, res, noBody, caller);
    } else {
      serveCall(req, res, caller);
    }
  }

  async function serveUnknown(
    req: IncomingMessage,
    res: ServerResponse,
    proving: Promise<Caller | Fault>,
  ): Promise<void> {
    try {
      serveProven(req, res, await proving);
    } catch (error) {
      refuse(req, res, error);
    }
  }

  return {
    serve(req, res) {
      const { method } = req;
      if (method !== 'POST' && method !== 'GET' && method !== 'DELETE') {
        refuse(req, res, httpFaults.METHOD_NOT_ALLOWED({ allowed }, { allow: allowed }));
        return;
      }
      // No `await` for a recently verified caller: the path of every call avoids promises.
      const caller = authenticate(req);
      if (caller instanceof Promise) void serveUnknown(req, res, caller);
      else serveProven(req, res, caller);
    },
    idle: () => (callCount === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
