import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Cluster, startCluster } from './cluster.ts';

/** Serves the address of this run's server to test files, and starts the server for the first of them. */
export interface ClusterAddressServer {
  readonly path: string;
  close(): Promise<void>;
}

export type ClusterAddress = Pick<Cluster, 'url' | 'isTemporary'>;

type Answer = ClusterAddress | { readonly error: string };

/** A process may offer several, under different names. */
export async function serveClusterAddress(
  configuredUrl: string | undefined,
  name = 'run',
): Promise<ClusterAddressServer> {
  let cluster: Promise<Cluster> | undefined;
  const file = `ff-pg-server-${process.pid}-${name}`;
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${file}` : join(tmpdir(), `${file}.sock`);
  const server = createServer((socket) => {
    cluster ??= startCluster(configuredUrl);
    cluster.then(
      ({ url, isTemporary }) => socket.end(JSON.stringify({ url, isTemporary } satisfies Answer)),
      (error: unknown) => socket.end(JSON.stringify({ error: String(error) } satisfies Answer)),
    );
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  server.unref();
  return {
    path,
    async close() {
      server.close();
      const started = await cluster?.catch(() => undefined);
      await started?.stop();
    },
  };
}

/** The address of this run's server. Throws the reason if there is none. */
export async function requestClusterAddress(path: string): Promise<ClusterAddress> {
  const answer = JSON.parse(await text(connect(path))) as Answer;
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
