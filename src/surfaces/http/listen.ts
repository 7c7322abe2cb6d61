import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { faults } from '#kernel/fault/kernel-faults.ts';

const highestPort = 65_535;

function listenOnce(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onListening = () => {
      server.off('error', onError);
      resolve((server.address() as AddressInfo).port);
    };
    const onError = (error: NodeJS.ErrnoException) => {
      server.off('listening', onListening);
      reject(error);
    };
    server.once('listening', onListening).once('error', onError);
    server.listen({ host, port });
  });
}

const words: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EADDRNOTAVAIL: 'not an address of this machine',
  ENOTFOUND: 'the host name cannot be resolved',
};

/** Takes the port, or the first free one of the `tries` after it. */
export async function listen(server: Server, host: string, port: number, tries: number): Promise<number> {
  const last = Math.min(port === 0 ? 0 : port + tries, highestPort);
  for (let at = port; ; at += 1) {
    try {
      return await listenOnce(server, host, at);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
      if (code !== 'EADDRINUSE') {
        throw faults.CONFIG_ERROR({ why: `cannot listen on ${host} port ${at}: ${words[code] ?? code}` });
      }
      if (at >= last) {
        const taken =
          last > port ? `ports ${port} to ${last} on ${host} are all taken` : `port ${port} on ${host} is taken`;
        throw faults.CONFIG_ERROR({ why: `${taken}: stop the program that uses it, or choose another with --port` });
      }
    }
  }
}
