import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** A minimal client with one request at a time, so that mainly the server is measured. */
export interface PipeClient {
  ask(line: string): Promise<string>;
}

export function createPipeClient({ stdin, stdout }: ChildProcessWithoutNullStreams): PipeClient {
  let rest = '';
  let waiting: ((line: string) => void) | undefined;
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk: string) => {
    rest += chunk;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      // Skips notifications.
      if (line.startsWith('{"jsonrpc":"2.0","method"')) continue;
      const answer = waiting;
      waiting = undefined;
      answer?.(line);
    }
  });
  return {
    ask: (line) =>
      new Promise((resolve) => {
        waiting = resolve;
        stdin.write(`${line}\n`);
      }),
  };
}

/** Sequential calls for about this long; returns calls per second. */
export async function sequentialRate(client: PipeClient, line: (id: number) => string, ms: number): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < ms) {
    for (let i = 0; i < 50; i += 1) {
      count += 1;
      await client.ask(line(count));
    }
  }
  return (count * 1000) / (performance.now() - startedAt);
}
