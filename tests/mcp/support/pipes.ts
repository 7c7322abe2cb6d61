import { PassThrough } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/client';
import type { Caller } from '#kernel/call.ts';
import type { McpDeps, McpOptions } from '#surfaces/mcp/mcp-deps.ts';
import { type StdioService, serveStdio } from '#surfaces/mcp/stdio.ts';
import { toCaller } from './sample-server.ts';

export interface Pipes {
  readonly service: StdioService;
  readonly stdin: PassThrough;
  readonly stdout: PassThrough;
  /** Writes one line: text unchanged, anything else as JSON. */
  send(message: unknown): void;
  next(): Promise<string>;
  ask(message: unknown): Promise<string>;
  /** Lines written so far and not yet taken. */
  readonly waiting: readonly string[];
  /** For the real client: takes over the lines. */
  toTransport(): Transport;
}

export interface PipeOptions extends McpOptions {
  readonly caller?: Caller;
  readonly keepAliveMs?: number;
}

/** The stdio surface between two streams in this process. */
export function openPipes(deps: McpDeps, { caller = toCaller(), keepAliveMs, ...options }: PipeOptions = {}): Pipes {
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const io = { stdin, stdout, caller, ...(keepAliveMs === undefined ? {} : { keepAliveMs }) };
  const service = serveStdio(deps, io, options);
  const waiting: string[] = [];
  const takers: ((line: string) => void)[] = [];
  let rest = '';
  let take = (line: string): void => {
    const taker = takers.shift();
    if (taker === undefined) waiting.push(line);
    else taker(line);
  };
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  const send = (message: unknown): void => {
    stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  };
  const next = (): Promise<string> => {
    const line = waiting.shift();
    return line === undefined ? new Promise((resolve) => takers.push(resolve)) : Promise.resolve(line);
  };
  return {
    service,
    stdin,
    stdout,
    send,
    next,
    waiting,
    ask(message) {
      send(message);
      return next();
    },
    toTransport() {
      const transport: Transport = {
        async start() {
          take = (line) => transport.onmessage?.(JSON.parse(line));
        },
        async send(message) {
          send(message);
        },
        async close() {
          stdin.end();
          transport.onclose?.();
        },
      };
      return transport;
    },
  };
}
