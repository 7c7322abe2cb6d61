import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Passes connections on to a server on loopback, and interrupts them when a test wants it. */
export interface CuttingProxy {
  readonly port: number;
  /** The next connections are cut after the server has sent so many bytes. */
  cutNext(connectionsCount: number, afterBytes: number): void;
  /** Resolves when the server has sent so many bytes from now on. They are passed on. */
  passed(bytes: number): Promise<void>;
  /** How many connections there were. */
  connectionsCount(): number;
  stop(): Promise<void>;
}

export async function startCuttingProxy(serverPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const waiting = new Set<{ bytes: number; resolve(): void }>();
  let connectionsCount = 0;
  let cut = { connectionsCount: 0, afterBytes: 0 };

  function notice(bytes: number): void {
    for (const one of waiting) {
      one.bytes -= bytes;
      if (one.bytes > 0) continue;
      waiting.delete(one);
      one.resolve();
    }
  }

  const proxy = createServer((client) => {
    connectionsCount += 1;
    let left = Number.POSITIVE_INFINITY;
    if (cut.connectionsCount > 0) {
      left = cut.afterBytes;
      cut = { ...cut, connectionsCount: cut.connectionsCount - 1 };
    }
    const server = connect(serverPort, '127.0.0.1');
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', end).on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
    client.pipe(server);
    server.on('data', (chunk) => {
      notice(chunk.length);
      left -= chunk.length;
      if (left <= 0) end();
      else client.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    cutNext(count, afterBytes) {
      cut = { connectionsCount: count, afterBytes };
    },
    passed: (bytes) => new Promise((resolve) => waiting.add({ bytes, resolve })),
    connectionsCount: () => connectionsCount,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
