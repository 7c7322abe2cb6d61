import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Log } from '#kernel/log/log.ts';
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

/** Types that browsers display without executing them. Everything else is downloaded. */
const isDisplayable = (type: string): boolean =>
  /^(?:text\/plain|application\/pdf|image\/(?:png|jpeg|gif|webp))\b/.test(type);

/** RFC 8187, which also escapes some characters that encodeURIComponent leaves alone. */
const encodeName = (name: string): string =>
  encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const headersOf = ({ contentType, fileName, bytes }: SignedFile): Record<string, string> => ({
  ...securityHeaders,
  'cache-control': 'private, no-store',
  'content-type': contentType,
  'content-length': String(bytes),
  'content-disposition': `${isDisplayable(contentType) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeName(fileName)}`,
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
    log.warn({ err: error }, 'a signed file could not be opened');
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
    log.warn({ err: error }, 'a signed file was not sent whole');
  });
}
