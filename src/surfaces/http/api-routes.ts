import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '#kernel/fault/fault.ts';
import { httpFaults } from '#kernel/fault/http-faults.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { scanJson } from '#kernel/json/scan.ts';
import { limits } from '#kernel/limits.ts';
import { unknownTool } from '#kernel/tool/argument-fix.ts';
import type { FaultForm } from '#kernel/tool/tool.ts';
import { type Authenticate, bearerOf } from './authenticate.ts';
import type { CredentialWatch } from './credential-watch.ts';
import type { ErrorResponder } from './error-responses.ts';
import type { EventStreams } from './event-streams.ts';
import type { HttpDeps } from './http-deps.ts';
import { readBody } from './read-body.ts';

export interface ApiDeps extends Pick<HttpDeps, 'registry' | 'invoke' | 'settings'> {
  readonly authenticate: Authenticate;
  readonly credentials: CredentialWatch;
  readonly events: EventStreams;
  readonly errors: ErrorResponder;
}

type ToolRequest = FastifyRequest<{ Params: { '*': string } }>;

/** A forwarding tool fails in the error form of the tool it called. */
interface RouteFault {
  readonly fault: Fault;
  readonly form: FaultForm | undefined;
}

/** Aborts when the client disconnects before it has its answer. */
function signalOf(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** A page of another origin can send text or a form without a preflight, but not JSON. */
export const isJson = (type: string | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type ?? '');

function parseArgs(body: Buffer, type: string | undefined, hasHeader: boolean): unknown {
  const isEmpty = body.length === 0;
  // With a key, the Authorization header shows that no form of a foreign page sent the request.
  if (!(isEmpty && hasHeader) && !isJson(type)) throw httpFaults.UNSUPPORTED_MEDIA();
  if (isEmpty) return {};
  const { messageDepth, messageValuesCount } = limits;
  const shape = scanJson(body, messageDepth, messageValuesCount);
  if (shape === 'too-deep')
    throw faults.RESOURCE_LIMIT({ what: 'The nesting of the body', limit: messageDepth, unit: 'levels' });
  if (shape === 'too-many')
    throw faults.RESOURCE_LIMIT({ what: 'The body', limit: messageValuesCount, unit: 'JSON values' });
  try {
    return JSON.parse(body.toString());
  } catch {
    throw faults.PARSE_ERROR({ why: 'the body is not JSON' });
  }
}

export function addApiRoutes(app: FastifyInstance, deps: ApiDeps): void {
  const { registry, invoke, settings, authenticate, credentials, events, errors } = deps;

  async function callTool(request: ToolRequest, reply: FastifyReply): Promise<RouteFault | undefined> {
    const { raw: req } = request;
    const caller = await authenticate(req);
    if (caller instanceof Fault) throw caller;
    const body = await readBody(req, settings.bodyBytes);
    if (body === 'gone') {
      void reply.hijack();
      return undefined;
    }
    if (body === 'too-large')
      throw faults.RESOURCE_LIMIT({ what: 'The body', limit: settings.bodyBytes, unit: 'bytes' });
    const name = request.params['*'];
    if (registry.find(name)?.expose.includes('http') === false) throw unknownTool(name, registry.cards);
    const key = req.headers['idempotency-key'];
    const outcome = await invoke({
      name,
      args: parseArgs(body, req.headers['content-type'], settings.auth && bearerOf(req) !== undefined),
      caller,
      signal: signalOf(reply.raw),
      ...(typeof key === 'string' && { idempotencyKey: key }),
    });
    if (!outcome.ok) return { fault: outcome.fault, form: outcome.card?.faultForm };
    void reply.header('cache-control', 'no-store').type('application/json').send(outcome.text);
    return undefined;
  }

  app.post('/api/tools/*', async (request: ToolRequest, reply) => {
    const ownForm = registry.find(request.params['*'])?.faultForm ?? 'numeric';
    try {
      const failed = await callTool(request, reply);
      if (failed !== undefined) errors.respond(request.raw, reply.hijack().raw, failed.fault, failed.form ?? ownForm);
    } catch (error) {
      errors.respond(request.raw, reply.hijack().raw, error, ownForm);
    }
    return reply;
  });

  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url: '/api/tools/*',
    handler: async () => {
      throw httpFaults.METHOD_NOT_ALLOWED({ allowed: 'POST' }, { allow: 'POST' });
    },
  });

  app.get('/api/events', { exposeHeadRoute: false }, async (request, reply) => {
    const caller = await authenticate(request.raw);
    if (caller instanceof Fault) throw caller;
    await events.open(request.raw, reply.raw, caller);
    credentials.add(request.raw, reply.raw);
    return reply.hijack();
  });
}
