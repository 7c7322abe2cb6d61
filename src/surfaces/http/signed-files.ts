import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '#kernel/log/log.ts';
import { contentDisposition } from '#kernel/text/content-disposition.ts';
import { securityHeaders } from './error-responses.ts';

export interface SignedFile {
  readonly contentType: string;
  readonly fileName: string;
  readonly bytes: number;
  readonly stream: Readable;
}

/** Undefined for a wrong or expired token or a missing file: the caller cannot distinguish them. */
export type OpenSigned = (token: string) => Promise<SignedFile | undefined>;

export const filesPath = '/files/';

const headersOf = ({ contentType, fileName, bytes }: SignedFile): Record<string, string> => ({
  ...securityHeaders,
  'cache-control': 'private, no-store',
  'content-type': contentType,
  'content-length': String(bytes),
  'content-disposition': contentDisposition(contentType, fileName),
});

const refuse = (res: ServerResponse, status: number, headers: Record<string, string> = {}): void =>
  void res.writeHead(status, { ...securityHeaders, ...headers, 'content-length': '0' }).end();

const tokenOf = (req: IncomingMessage): string => (req.url ?? '').slice(filesPath.length).split('?')[0] ?? '';

/** The token is the credential: its holder is served until it expires. */
export async function serveSigned(
  { openSigned, log }: { readonly openSigned: OpenSigned; readonly log: Log },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    refuse(res, 405, { allow: 'GET, HEAD' });
    return;
  }
  let file: SignedFile | undefined;
  try {
    file = await openSigned(tokenOf(req));
  } catch (error) {
    log.warn({ err: error }, 'opening a signed file failed');
    refuse(res, 503, { 'retry-after': '1' });
    return;
  }
  if (file === undefined) {
    refuse(res, 403);
    return;
  }
  res.writeHead(200, headersOf(file));
  if (req.method === 'HEAD') {
    file.stream.destroy();
    res.end();
    return;
  }
  await pipeline(file.stream, res).catch((error: unknown) => {
    // Content-Length was sent: a reader that gets less knows the file is incomplete.
    res.destroy();
    log.warn({ err: error }, 'sending a signed file failed');
  });
}
