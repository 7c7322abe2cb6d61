import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { createTestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, startProgram } from '#tests/support/program.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface Cell {
  readonly cell_id: string;
  readonly index: number;
  readonly language: string;
  readonly type: string;
  readonly revision: number;
  readonly tags?: readonly string[];
  readonly content?: string;
  readonly content_omitted?: true;
  readonly validate?: boolean;
  readonly json_schema?: unknown;
  readonly metadata?: Json;
  readonly preview?: string;
  readonly content_bytes?: number;
}

export interface Pad {
  readonly scratch_id: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly summary?: string;
  readonly namespace: string | null;
  readonly tags: readonly string[];
  readonly cell_tags: readonly string[];
  readonly cell_count: number;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly metadata?: Json;
  readonly cells: readonly Cell[];
}

export interface ValidationResult {
  readonly cell_index: number;
  readonly cell_id: string;
  readonly language: string;
  readonly valid: boolean | null;
  readonly errors: readonly {
    readonly message: string;
    readonly code?: string;
    readonly line?: number;
    readonly column?: number;
  }[];
  readonly warnings: readonly { readonly message: string; readonly code?: string }[];
  readonly details?: Json;
}

export interface Written {
  readonly ok: true;
  readonly scratchpad: Pad;
  readonly reset?: true;
  readonly validation?: readonly ValidationResult[];
  readonly evicted_scratchpads?: readonly string[];
}

/** R2: `error` repeats the message. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly error: string;
  readonly details?: Json;
}

interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Json;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export interface Caller {
  readonly client: Client;
  /** Expects success. */
  call<T = Json>(name: string, args?: Json): Promise<T>;
  /** Expects an error. */
  fail(name: string, args?: Json): Promise<Failure>;
  read(scratchId: string, filter?: Json): Promise<Pad>;
}

/** R2: the text is the same object, or only its size for a very large one. */
const isTwin = (text: string, json: string): boolean =>
  text === json || text.endsWith(`: ${Buffer.byteLength(json)} bytes of JSON, in structuredContent.`);

export function toCaller(client: Client): Caller {
  const ask = async (name: string, args: Json): Promise<ToolAnswer> =>
    (await client.callTool({ name, arguments: { ...args } })) as ToolAnswer;
  const textOf = (answer: ToolAnswer): string => answer.content[0]?.text ?? '';

  async function call<T>(name: string, args: Json = {}): Promise<T> {
    const answer = await ask(name, args);
    const text = textOf(answer);
    if (answer.isError === true) throw new Error(`${name} failed: ${text}`);
    if (!isTwin(text, JSON.stringify(answer.structuredContent))) throw new Error('text and structuredContent differ');
    if (answer.structuredContent?.['ok'] !== true) throw new Error(`${name} did not say ok: ${text}`);
    return answer.structuredContent as T;
  }

  return {
    client,
    call,
    async fail(name, args = {}) {
      const answer = await ask(name, args);
      const text = textOf(answer);
      if (answer.isError !== true) throw new Error(`${name} did not fail: ${text.slice(0, 500)}`);
      const { ok, error, ...rest } = JSON.parse(text) as { ok: unknown; error: Failure };
      const isWhole = ok === false && error.error === error.message && Object.keys(rest).length === 0;
      if (!isWhole) throw new Error(`not in the form of this family: ${text.slice(0, 500)}`);
      return error;
    },
    async read(scratch_id, filter = {}) {
      return (await call<{ scratchpad: Pad }>('scratch_read', { scratch_id, ...filter })).scratchpad;
    },
  };
}

export interface NotebookProgram extends Caller {
  readonly child: ChildProcessWithoutNullStreams;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** All stderr output so far. */
  said(): string;
  /** Ends the program as a client does; the folder stays. */
  end(): Promise<number | null>;
  close(): Promise<void>;
}

/** The pipes of one process, for the real client. */
function toTransport(child: ChildProcessWithoutNullStreams): Transport {
  let rest = '';
  const transport: Transport = {
    async start() {},
    async send(message) {
      child.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      transport.onclose?.();
    },
  };
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) transport.onmessage?.(JSON.parse(line));
  });
  return transport;
}

/** Only tests about the packaged model load it. */
export const quietEnv = {
  FOURFOLD_LOG_LEVEL: 'error',
  SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'debug',
} as const;

/** Starts the built program and connects the real client to it. */
export async function openNotebooks(env: Readonly<Record<string, string>> = {}): Promise<NotebookProgram> {
  const { folder, remove } = makeFolder();
  const home = join(folder, 'home');
  const whole = { ...quietEnv, FOURFOLD_HOME: home, ...env };
  const child = startProgram([], whole);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(toTransport(child));
  async function end(): Promise<number | null> {
    await client.close();
    child.stdin.end();
    return ended;
  }
  return {
    ...toCaller(client),
    child,
    home,
    env: whole,
    said: () => said,
    end,
    async close() {
      await end();
      remove();
    },
  };
}

export const engines = ['SQLite', 'PostgreSQL'] as const;
export type EngineName = (typeof engines)[number];

export async function openOn(engine: EngineName, env: Readonly<Record<string, string>> = {}): Promise<NotebookProgram> {
  if (engine === 'SQLite') return openNotebooks(env);
  const { url, drop } = await createTestDatabase();
  const program = await openNotebooks({ ...env, FOURFOLD_DATABASE_URL: url });
  return {
    ...program,
    async close() {
      await program.close();
      await drop();
    },
  };
}

export const md = (content: string, more: Json = {}): Json => ({ language: 'md', content, ...more });

/** R5: structure and metadata, without content. */
export const lightFields = ['cell_id', 'index', 'language', 'revision', 'type'];
