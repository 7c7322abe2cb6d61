import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { listenOnLoopback } from './loopback.ts';
import { openPipes } from './pipes.ts';
import { createSampleServer, type SampleServer } from './sample-server.ts';

export type Way = 'stdio 2025' | 'stdio 2026' | 'http 2025' | 'http 2026';
export const ways: readonly Way[] = ['stdio 2025', 'stdio 2026', 'http 2025', 'http 2026'];

export interface Connected extends SampleServer {
  readonly client: Client;
  close(): Promise<void>;
}

/** The real client, connected in one of the four ways. */
export async function connect(way: Way, ...args: Parameters<typeof createSampleServer>): Promise<Connected> {
  const server = createSampleServer(...args);
  const mode = way.endsWith('2026') ? { pin: '2026-07-28' } : ('legacy' as const);
  const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } });
  if (way.startsWith('stdio')) {
    const pipes = openPipes(server.deps);
    await client.connect(pipes.toTransport());
    return {
      ...server,
      client,
      async close() {
        await client.close();
        await pipes.service.done;
      },
    };
  }
  const loopback = await listenOnLoopback(server.deps);
  await client.connect(new StreamableHTTPClientTransport(new URL(loopback.url)));
  return {
    ...server,
    client,
    async close() {
      await client.close();
      await loopback.close();
    },
  };
}
