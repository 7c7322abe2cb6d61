import { createServer } from 'node:http';
import type { Log } from '#kernel/log/log.ts';
import { createHostGuard } from './host-guard.ts';
import { httpLimits } from './http-limits.ts';
import { listen } from './listen.ts';
import { filesPath, type OpenSigned, serveSigned } from './signed-files.ts';

export interface FilesServer {
  readonly url: string;
  close(): Promise<void>;
}

const host = '127.0.0.1';

/** Serves signed files only, on loopback, where no other server runs. */
export async function startFiles(deps: { readonly openSigned: OpenSigned; readonly log: Log }): Promise<FilesServer> {
  const guard = createHostGuard({ host, allowedHosts: [], allowedOrigins: [] });
  const server = createServer(
    {
      maxHeaderSize: httpLimits.headerBytes,
      headersTimeout: httpLimits.headersMs,
      requestTimeout: httpLimits.requestMs,
      keepAliveTimeout: httpLimits.keepAliveMs,
    },
    (req, res) => {
      const isFile = guard.faultOf(req) === undefined && (req.url ?? '').startsWith(filesPath);
      if (isFile) void serveSigned(deps, req, res);
      else res.writeHead(404, { 'content-length': '0' }).end();
    },
  );
  server.maxConnections = httpLimits.connectionsCount;
  const port = await listen(server, host, 0, 0);
  // It does not keep the process running: the program ends with its client.
  server.unref();
  return {
    url: `http://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
