import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Cluster, startCluster } from './cluster.ts';

/** Where test files ask for the server of this run. It is started when the first one asks. */
export interface ClusterDoor {
  readonly path: string;
  close(): Promise<void>;
}

export type ClusterPlace = Pick<Cluster, 'url' | 'isOurs'>;

type Answer = ClusterPlace | { readonly error: string };

/** A process may open several doors, under different names. */
export async function openClusterDoor(configuredUrl: string | undefined, name = 'run'): Promise<ClusterDoor> {
  let cluster: Promise<Cluster> | undefined;
  const file = `ff-pg-door-${process.pid}-${name}`;
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${file}` : join(tmpdir(), `${file}.sock`);
  const server = createServer((socket) => {
    cluster ??= startCluster(configuredUrl);
    cluster.then(
      ({ url, isOurs }) => socket.end(JSON.stringify({ url, isOurs } satisfies Answer)),
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

/** Where the server of this run is; throws why there is none. */
export async function askForCluster(path: string): Promise<ClusterPlace> {
  const answer = JSON.parse(await text(connect(path))) as Answer;
  if ('error' in answer) throw new Error(answer.error);
  return answer;
}
