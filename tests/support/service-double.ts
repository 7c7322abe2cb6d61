import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DoubleRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface DoubleAnswer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is if it is a text, otherwise as JSON. `undefined`: never answers. */
  readonly body: unknown;
}

export interface ServiceDouble {
  readonly url: string;
  readonly requests: readonly DoubleRequest[];
  /** Throws what was wrong with a request, so that a test cannot miss it. */
  check(): void;
  stop(): Promise<void>;
}

/**
 * A server on loopback in place of a service. `answer` checks each request against the description that the service
 * publishes; what it throws reaches the test through `check`.
 */
export async function startDouble(answer: (request: DoubleRequest) => DoubleAnswer): Promise<ServiceDouble> {
  const requests: DoubleRequest[] = [];
  const errors: unknown[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', headers } = request;
      const url = new URL(request.url ?? '', 'http://127.0.0.1');
      const received = { method, headers, url, body: Buffer.concat(chunks).toString() };
      requests.push(received);
      try {
        const { status = 200, headers: sent = { 'content-type': 'application/json' }, body } = answer(received);
        if (body !== undefined)
          response.writeHead(status, sent).end(typeof body === 'string' ? body : JSON.stringify(body));
      } catch (error) {
        errors.push(error);
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    check() {
      if (errors.length > 0) throw errors[0];
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
