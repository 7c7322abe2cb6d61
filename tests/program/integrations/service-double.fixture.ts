import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished } from 'vitest';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface ServiceAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is; anything else as JSON. */
  readonly body?: unknown;
}

/** Takes over one answer; the request has been checked before. */
type Takeover = (response: ServerResponse, usual: ServiceAnswer) => void;

export interface ServiceDouble {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  /** Answers the next request otherwise than the service would; several wait in a queue. */
  answerNext(answer: ServiceAnswer | Takeover): void;
  /** Answers some requests as usual, and never the one after them. Resolves when that arrives. */
  holdAfter(usualCount: number): Promise<void>;
  /** The same, but answers that one as usual when it is released. */
  pauseAfter(usualCount: number): { readonly reached: Promise<void>; release(): void };
}

/** Thrown by a check: the request is not what the service documents. */
class WrongRequest extends Error {}

export function check(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new WrongRequest(what);
}

/** Only these parameters, each with a value that the pattern allows. */
export function checkParameters(query: URLSearchParams, allowed: Readonly<Record<string, RegExp>>): void {
  for (const [name, value] of query) {
    check(Object.hasOwn(allowed, name), `unknown parameter ${name}`);
    check(allowed[name]!.test(value), `${name}=${value}`);
    check(query.getAll(name).length === 1, `${name} is repeated`);
  }
}

export function checkRange(query: URLSearchParams, name: string, min: number, max: number): number {
  const value = query.get(name) ?? '';
  check(/^\d+$/.test(value) && Number(value) >= min && Number(value) <= max, `${name}=${value}`);
  return Number(value);
}

function send(response: ServerResponse, { status = 200, headers = {}, body = {} }: ServiceAnswer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { ...(!isText && { 'content-type': 'application/json' }), ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

/** A service on loopback. A request that `answer` rejects with `check` fails the test. */
export async function startService(answer: (request: SeenRequest) => ServiceAnswer): Promise<ServiceDouble> {
  const seen: SeenRequest[] = [];
  const wrong: string[] = [];
  const takeovers: (Takeover | undefined)[] = [];
  const server = createServer((incoming, response) => {
    response.on('error', () => {});
    void text(incoming).then((body) => {
      const { pathname, searchParams } = new URL(incoming.url ?? '', 'http://double');
      const method = incoming.method ?? '';
      const request = { method, path: pathname, query: searchParams, headers: incoming.headers, body };
      seen.push(request);
      try {
        const usual = answer(request);
        const takeover = takeovers.shift();
        if (takeover === undefined) send(response, usual);
        else takeover(response, usual);
      } catch (error) {
        wrong.push(`${method} ${incoming.url}: ${(error as Error).message}`);
        send(response, { status: 400, body: { error: 'not as documented' } });
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(wrong).toEqual([]);
  });
  function pauseAfter(usualCount: number) {
    takeovers.push(...Array.from({ length: usualCount }, () => undefined));
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    takeovers.push((response, usual) => {
      reached.resolve();
      void released.promise.then(() => send(response, usual));
    });
    return { reached: reached.promise, release: () => released.resolve() };
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    answerNext(next) {
      takeovers.push(typeof next === 'function' ? next : (response) => send(response, next));
    },
    holdAfter: (usualCount) => pauseAfter(usualCount).reached,
    pauseAfter,
  };
}

type BrokenAnswer = readonly [name: string, why: RegExp, answer: ServiceAnswer | Takeover];

/** Answers of a broken or malicious service of any kind, with what the sync then says. */
export const brokenTransports: readonly BrokenAnswer[] = [
  ['a revoked token', /refuses the login \(HTTP 401\): connect it again/, { status: 401, body: { message: 'bad' } }],
  ['a missing permission', /refuses the login \(HTTP 403\)/, { status: 403, body: { message: 'no' } }],
  [
    'a long pause',
    /allows no more requests for now \(HTTP 429\)/,
    { status: 429, headers: { 'retry-after': '3600' }, body: {} },
  ],
  [
    'an endless answer',
    /The answer of the host/,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    },
  ],
  [
    'a redirect to a private address',
    /169\.254\.169\.254 is not a public host/,
    { status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } },
  ],
  ['a redirect to a file', /only http and https/, { status: 302, headers: { location: 'file:///etc/passwd' } }],
];

/** The same for a service that answers with JSON. */
export const brokenAnswers: readonly BrokenAnswer[] = [
  ...brokenTransports,
  [
    'a page of HTML',
    /answered with text\/html instead of JSON/,
    { headers: { 'content-type': 'text/html' }, body: '<p>' },
  ],
  ['JSON of other types', /is not as documented/, { body: '7' }],
  ['a broken text', /instead of JSON/, { headers: { 'content-type': 'application/json' }, body: '[{"id":' }],
];

/** Answers that are repeated, and then the sync goes on. Only two, because the pause grows with each. */
export const temporaryAnswers: readonly (ServiceAnswer | Takeover)[] = [
  { status: 429, headers: { 'retry-after': '0' } },
  (response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('[', () => response.destroy());
  },
];
