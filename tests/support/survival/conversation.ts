import type { ChildProcessWithoutNullStreams } from 'node:child_process';

export type Json = Readonly<Record<string, unknown>>;

interface Message<Result> {
  readonly id?: number;
  readonly result?: Result;
  readonly error?: Json;
}

/** A JSON-RPC connection to a program that may be killed at any time. */
export interface Conversation {
  /** Undefined if the program ended before it answered. */
  request<Result = Json>(method: string, params: Json): Promise<Message<Result> | undefined>;
  notify(method: string): void;
  /** The last part of its stderr. */
  said(): string;
  /** Resolves when the program has ended and all its output is read. */
  kill(): Promise<void>;
  /** Ends the program as a client does: closes stdin. */
  end(): Promise<number | null>;
}

/** Kept because a killed program cannot report what went wrong. */
const saidChars = 4000;

export function openConversation(child: ChildProcessWithoutNullStreams): Conversation {
  const waiting = new Map<number, (message: Message<unknown> | undefined) => void>();
  let count = 0;
  let rest = '';
  let said = '';
  let isGone = false;
  const write = (message: Json): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  child.stdin.on('error', () => {});
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-saidChars);
  });
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    // A line that was cut off by the kill does not count.
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message<unknown>;
      if (message.id === undefined) continue;
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  const gone = new Promise<number | null>((resolve) =>
    child.once('close', (code) => {
      isGone = true;
      for (const take of waiting.values()) take(undefined);
      resolve(code);
    }),
  );

  return {
    request: <Result>(method: string, params: Json) =>
      new Promise<Message<Result> | undefined>((resolve) => {
        if (isGone) return resolve(undefined);
        count += 1;
        waiting.set(count, (message) => resolve(message as Message<Result> | undefined));
        write({ id: count, method, params });
      }),
    notify: (method) => write({ method }),
    said: () => said,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    end() {
      child.stdin.end();
      return gone;
    },
  };
}
