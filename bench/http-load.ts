import { connect, type Socket } from 'node:net';

export interface LoadResult {
  readonly perSecond: number;
  readonly count: number;
  readonly failedCount: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly ms: number;
  body(id: number): string;
}

const toRequest = ({ port, path, headers }: Load, body: string): string => {
  const lines = Object.entries({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
  });
  return `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`;
};

/** Reads one answer with a Content-Length; Node's HTTP client would cost more than the server it measures. */
function readAnswer(text: string): { readonly end: number; readonly isOk: boolean } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = text.slice(0, headEnd).toLowerCase();
  const at = head.indexOf('content-length:');
  const length = Number.parseInt(head.slice(at + 15), 10);
  const end = headEnd + 4 + length;
  if (text.length < end) return undefined;
  return { end, isOk: head.startsWith('http/1.1 200') && !text.slice(headEnd, end).includes('"isError":true') };
}

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Keep-alive connections with one request at a time. */
export async function runLoad(load: Load): Promise<LoadResult> {
  const times: number[] = [];
  let failedCount = 0;
  let id = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + load.ms;

  function drive(socket: Socket, done: () => void): void {
    let text = '';
    let sentAt = 0;
    const send = () => {
      id += 1;
      sentAt = performance.now();
      socket.write(toRequest(load, load.body(id)), 'latin1');
    };
    socket.setEncoding('latin1');
    socket.setNoDelay(true);
    socket.on('data', (chunk: string) => {
      text += chunk;
      const answer = readAnswer(text);
      if (answer === undefined) return;
      text = text.slice(answer.end);
      const now = performance.now();
      times.push(now - sentAt);
      if (!answer.isOk) failedCount += 1;
      if (now < endsAt) send();
      else socket.end();
    });
    socket.on('close', done);
    socket.on('error', done);
    send();
  }

  await Promise.all(
    Array.from(
      { length: load.connections },
      () =>
        new Promise<void>((resolve) => {
          const socket: Socket = connect(load.port, '127.0.0.1', () => drive(socket, resolve));
          socket.once('error', () => resolve());
        }),
    ),
  );
  const tookMs = performance.now() - startedAt;
  const sorted = times.toSorted((a, b) => a - b);
  return {
    perSecond: (times.length * 1000) / tookMs,
    count: times.length,
    failedCount,
    p50Ms: percentile(sorted, 0.5),
    p95Ms: percentile(sorted, 0.95),
    p99Ms: percentile(sorted, 0.99),
  };
}
