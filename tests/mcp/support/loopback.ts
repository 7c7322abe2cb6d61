import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '#kernel/call.ts';
import { createMcpHttp, type McpHttp } from '#surfaces/mcp/http.ts';
import type { McpDeps, McpOptions } from '#surfaces/mcp/mcp-deps.ts';
import { toCaller } from './sample-server.ts';

export interface Loopback {
  readonly url: string;
  readonly mcp: McpHttp;
  close(): Promise<void>;
}

const isLoopback = (host: string | undefined): boolean =>
  host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

/**
 * The handler behind a bare node:http server. The header `x-caller` names the caller: there is no authentication here.
 */
export async function listenOnLoopback(
  deps: McpDeps,
  options: McpOptions = {},
  callers: Readonly<Record<string, Caller>> = {},
): Promise<Loopback> {
  const mcp = createMcpHttp(deps, options);
  const server = createServer((req, res) => {
    const origin = req.headers.origin;
    if (!isLoopback(req.headers.host) || (origin !== undefined && !isLoopback(origin.replace(/^https?:\/\//, '')))) {
      res.writeHead(403).end();
      return;
    }
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const caller = callers[String(req.headers['x-caller'])] ?? toCaller();
      mcp.handle(req, res, Buffer.concat(parts), caller).catch((error: unknown) => res.destroy(error as Error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    mcp,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      await mcp.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
