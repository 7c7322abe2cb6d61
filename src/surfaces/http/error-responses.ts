import type { IncomingMessage, ServerResponse } from 'node:http';
import { toChallenge } from '#kernel/access/resource-metadata.ts';
import type { Fault } from '#kernel/fault/fault.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { toFault } from '#kernel/fault/to-fault.ts';
import { type Era, reportedIdOf, toFaultObject, toRpcError } from '#kernel/tool/fault-forms.ts';
import type { FaultForm } from '#kernel/tool/tool.ts';
import { bearerOf } from './authenticate.ts';
import type { HttpDeps } from './http-deps.ts';
import type { HttpLimits } from './http-limits.ts';

/** For answers other than pages: nothing in them may be executed, framed, sniffed or leaked. */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** `rpc` is a JSON-RPC error, for /mcp; the others are the error forms of the tools. */
export type ErrorForm = FaultForm | 'rpc';

export interface ErrorResponder {
  /** Responds with a fault; any other error is logged and answered as INTERNAL with the same id. */
  respond(req: IncomingMessage, res: ServerResponse, error: unknown, form: ErrorForm): void;
  /** Responses per fault code since the start. */
  readonly counts: ReadonlyMap<string, number>;
}

const firstModernRevision = '2026-07-28';

const eraOf = (req: IncomingMessage): Era => {
  const revision = req.headers['mcp-protocol-version'];
  return typeof revision === 'string' && revision >= firstModernRevision ? 'modern' : 'legacy';
};

function toBody(req: IncomingMessage, fault: Fault, form: ErrorForm, traceId: string): object {
  switch (form) {
    case 'rpc':
      return { jsonrpc: '2.0', id: null, error: toRpcError(fault, eraOf(req)) };
    case 'plain':
      return { error: { message: fault.message, details: { fix: fault.fix } } };
    default:
      return toFaultObject(form, fault, 'legacy', traceId);
  }
}

export const originOf = (req: IncomingMessage): string => `http://${req.headers.host ?? 'localhost'}`;

export function createErrorResponder(
  { ids, log, settings }: Pick<HttpDeps, 'ids' | 'log' | 'settings'>,
  limits: HttpLimits,
): ErrorResponder {
  const counts = new Map<string, number>();

  const faultOf = (error: unknown): Fault =>
    toFault(error, ids, (id) => log.error({ id, error }, 'bug in the HTTP surface'));

  function headersFor(req: IncomingMessage, fault: Fault): Record<string, string> {
    const headers: Record<string, string> = {
      ...securityHeaders,
      'cache-control': 'no-store',
      'content-type': 'application/json',
    };
    const { http } = fault.kind;
    if (http === 401) {
      const brought = bearerOf(req) !== undefined;
      headers['www-authenticate'] = toChallenge(
        settings.oauth,
        originOf(req),
        brought ? { code: 'invalid_token', message: fault.message } : undefined,
      );
    }
    if (fault.code === faults.PERMISSION_DENIED.kind.code) {
      headers['www-authenticate'] = toChallenge(settings.oauth, originOf(req), {
        code: 'insufficient_scope',
        message: fault.message,
      });
    }
    if (fault.code === httpFaults.UNSUPPORTED_ENCODING.kind.code) headers['accept-encoding'] = 'identity';
    const retryAfterS = fault.details['retry_after_seconds'];
    if (typeof retryAfterS === 'number') headers['retry-after'] = String(retryAfterS);
    else if (http === 503 && fault.kind.retryable) headers['retry-after'] = '1';
    if (typeof fault.details['allow'] === 'string') headers['allow'] = fault.details['allow'];
    return headers;
  }

  /**
   * Keep reading an unread body for a moment: closing immediately would reset the connection before the client sees the
   * answer.
   */
  function endAfterBody(req: IncomingMessage, res: ServerResponse): void {
    const timer = setTimeout(() => res.end(), limits.lingerMs);
    const end = () => {
      clearTimeout(timer);
      res.end();
    };
    req.once('end', end).once('close', end);
    req.resume();
  }

  function send(req: IncomingMessage, res: ServerResponse, fault: Fault, form: ErrorForm, traceId: string): void {
    if (res.headersSent || res.destroyed) {
      res.destroy();
      return;
    }
    const body = Buffer.from(JSON.stringify(toBody(req, fault, form, traceId)));
    const headers = { ...headersFor(req, fault), 'content-length': String(body.length) };
    if (req.complete) {
      res.writeHead(fault.kind.http, headers).end(body);
      return;
    }
    res.writeHead(fault.kind.http, { ...headers, connection: 'close' }).write(body);
    endAfterBody(req, res);
  }

  return {
    counts,
    respond(req, res, error, form) {
      const fault = faultOf(error);
      counts.set(fault.code, (counts.get(fault.code) ?? 0) + 1);
      const traceId = reportedIdOf(fault) ?? ids.short();
      const { http } = fault.kind;
      // The client gets a trace id, so the log must contain it.
      const level = http >= 500 ? 'warn' : form === 'traced' ? 'info' : 'debug';
      log[level]({ traceId, code: fault.code, status: http }, 'request refused');
      // In the middle of a request the parser may still find it malformed, or the rest of a small one may already be
      // there.
      if (req.complete) send(req, res, fault, form, traceId);
      else process.nextTick(send, req, res, fault, form, traceId);
    },
  };
}
