import type { IncomingMessage } from 'node:http';

export type ReadBody = Buffer | 'too-large' | 'gone';

const empty = Buffer.alloc(0);

/** The whole body as bytes, or the reason for its absence, reported once. Bytes over the limit are dropped. */
export function collectBody(req: IncomingMessage, maxBytes: number, done: (body: ReadBody) => void): void {
  if (Number(req.headers['content-length']) > maxBytes) {
    done('too-large');
    return;
  }
  let first: Buffer | undefined;
  let rest: Buffer[] | undefined;
  let bytes = 0;
  let isDone = false;

  function finish(body: ReadBody): void {
    if (isDone) return;
    isDone = true;
    first = undefined;
    rest = undefined;
    done(body);
  }

  req.on('data', (chunk: Buffer) => {
    if (isDone) return;
    bytes += chunk.length;
    if (bytes > maxBytes) finish('too-large');
    else if (first === undefined) first = chunk;
    else if (rest === undefined) rest = [chunk];
    else rest.push(chunk);
  });
  req.on('end', () => finish(rest === undefined ? (first ?? empty) : Buffer.concat([first ?? empty, ...rest], bytes)));
  req.on('close', () => finish('gone'));
}

export const readBody = (req: IncomingMessage, maxBytes: number): Promise<ReadBody> =>
  new Promise((resolve) => collectBody(req, maxBytes, resolve));
