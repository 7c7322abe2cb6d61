import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** A minimal client, so that mainly the server is measured. */
export interface PipeClient {
  /** Resolves with the next answer. While several requests wait, it may answer another one. */
  ask(line: string): Promise<string>;
}

export function createPipeClient({ stdin, stdout }: ChildProcessWithoutNullStreams): PipeClient {
  let rest = '';
  const waiting: ((line: string) => void)[] = [];
  stdout.setEncoding('utf8');
  stdout.on('data', (chunk: string) => {
    rest += chunk;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      // Skips notifications.
      if (line.startsWith('{"jsonrpc":"2.0","method"')) continue;
      waiting.shift()?.(line);
    }
  });
  return {
    ask: (line) =>
      new Promise((resolve) => {
        waiting.push(resolve);
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
