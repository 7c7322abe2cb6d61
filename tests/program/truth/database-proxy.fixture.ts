import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

export interface PlantedWire {
  /** The real database. */
  readonly url: string;
  /** Closes the proxy and all its connections. */
  cut(): void;
  mend(): Promise<void>;
  close(): void;
}

/** A proxy in front of a database, which can be cut as if the server were gone. */
export async function plantWire(databaseUrl: string): Promise<PlantedWire> {
  const real = new URL(databaseUrl);
  const folder = real.searchParams.get('host');
  const port = real.port || '5432';
  const reach = (): Socket =>
    folder === null ? connect(Number(port), real.hostname) : connect(`${folder}/.s.PGSQL.${port}`);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => void sockets.delete(socket));
  };
  const server = createServer((near) => {
    const far = keep(reach());
    keep(near).pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  await listen(0);
  const own = (server.address() as AddressInfo).port;
  const url = new URL(databaseUrl);
  url.search = '';
  url.hostname = '127.0.0.1';
  url.port = String(own);
  const cut = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { url: url.href, cut, mend: () => listen(own), close: cut };
}
