import type { IncomingMessage, ServerResponse } from 'node:http';
import { boundError } from '#kernel/tool/fault-forms.ts';

export function writeJson(res: ServerResponse, status: number, text: string): void {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}

export function writeAccepted(res: ServerResponse): void {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(202, { 'Content-Length': 0 });
  res.end();
}

/** Aborts when the client disconnects before its answer is complete. */
export function abortOnDisconnect(res: ServerResponse): AbortController {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller;
}

/** Without the body, which was read and parsed before. */
export function toWebRequest(req: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // The URL is unused: the caller has matched the path.
  return new Request('http://localhost/mcp', { method: req.method ?? 'GET', headers, signal });
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

async function writeStream(res: ServerResponse, body: ReadableStream<Uint8Array>, gone: AbortSignal): Promise<void> {
  const reader = body.getReader();
  const stop = () => void reader.cancel().catch(() => {});
  gone.addEventListener('abort', stop, { once: true });
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      // A slow reader holds the stream back instead of filling the memory.
      if (!res.write(part.value)) await drained(res);
    }
  } finally {
    gone.removeEventListener('abort', stop);
    res.end();
  }
}

/** The SDK repeats parts of a request that it rejects, and suggests nothing. */
function boundBody(status: number, body: Buffer): Buffer {
  if (status < 400 || body.length === 0) return body;
  return Buffer.from(JSON.stringify(boundError(JSON.parse(body.toString()))));
}

export async function writeResponse(res: ServerResponse, response: Response, gone: AbortSignal): Promise<void> {
  if (res.destroyed || res.headersSent) {
    await response.body?.cancel();
    return;
  }
  const { body, status } = response;
  if (body === null) {
    res.writeHead(status, { ...Object.fromEntries(response.headers), 'content-length': 0 }).end();
    return;
  }
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    res.writeHead(status, Object.fromEntries(response.headers));
    res.flushHeaders();
    await writeStream(res, body, gone);
    return;
  }
  const bytes = boundBody(status, Buffer.from(await response.arrayBuffer()));
  res.writeHead(status, { ...Object.fromEntries(response.headers), 'content-length': bytes.length }).end(bytes);
}
