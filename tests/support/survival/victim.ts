import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { startProgram } from '#tests/support/program.ts';

export type Json = Readonly<Record<string, unknown>>;

/**
 * A program on its pipes, made to be killed. The client speaks the protocol by itself: one of the SDK would spend more on
 * compiling the schemas of the answers, for each program anew, than the program spends on its work.
 */
export interface Victim {
  /** Undefined when the program ended before it answered; an error is thrown, with the last that it said on stderr. */
  call<T = Json>(name: string, args?: Json): Promise<T | undefined>;
  /** The last of what it said on stderr. */
  said(): string;
  /** Resolves when it is gone and everything that it had said is read. */
  kill(): Promise<void>;
  /** As a client ends it. */
  end(): Promise<number | null>;
}

interface Message {
  readonly id?: number;
  readonly result?: { readonly isError?: boolean; readonly structuredContent?: Json };
  readonly error?: Json;
}

type Taker = (message: Message | undefined) => void;

/** Nobody can ask a killed program afterwards what was wrong. */
const saidChars = 4000;

export const startVictim = (env: Readonly<Record<string, string>>): Promise<Victim> => converse(startProgram([], env));

export async function converse(child: ChildProcessWithoutNullStreams): Promise<Victim> {
  const waiting = new Map<number, Taker>();
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
    // What a kill cut off was not said.
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
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

  const request = (method: string, params: Json): Promise<Message | undefined> =>
    new Promise((resolve) => {
      if (isGone) return resolve(undefined);
      count += 1;
      waiting.set(count, resolve);
      write({ id: count, method, params });
    });

  const clientInfo = { name: 'tester', version: '1' };
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  write({ method: 'notifications/initialized' });

  return {
    async call<T>(name: string, args: Json = {}): Promise<T | undefined> {
      const message = await request('tools/call', { name, arguments: args });
      if (message === undefined) return undefined;
      const { result, error } = message;
      if (result?.structuredContent === undefined || result.isError === true) {
        throw new Error(`${name} failed: ${JSON.stringify(error ?? result)}\n${said}`);
      }
      return result.structuredContent as T;
    },
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
