import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { expect, vi } from 'vitest';
import { makeFolder, startProgram } from '#tests/support/program.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** The same for every form of call. */
export interface Reply {
  readonly value?: Json;
  readonly error?: RpcError;
}

/** The forms of calling a tool. */
export const callForms = ['tools/call', 'plain method'] as const;
/** Catalog actions can also be called through dispatch, in both forms. */
export const actionForms = [...callForms, 'dispatcher by tools/call', 'dispatcher by plain method'] as const;
export type CallForm = (typeof actionForms)[number];

export interface CatalogProgram {
  readonly client: Client;
  readonly child: ChildProcessWithoutNullStreams;
  readonly entries: string;
  readonly home: string;
  /** For commands on the same data. */
  readonly env: Readonly<Record<string, string>>;
  /** Calls any tool by its canonical name. */
  call(form: CallForm, name: string, args?: Json): Promise<Reply>;
  /** The value of a call that must succeed. */
  value<T = Json>(form: CallForm, name: string, args?: Json): Promise<T>;
  /** The error of a call that must fail. */
  error(form: CallForm, name: string, args?: Json): Promise<RpcError>;
  /** A plain JSON-RPC message with its own id; returns the whole answer. */
  plain(method: string, params?: Json): Promise<{ readonly result?: Json; readonly error?: RpcError }>;
  /** Everything on stderr so far. */
  said(): string;
  writeFile(name: string, content: unknown): void;
  /** Replaces everything in the folder of the catalog, so that the next test needs no new program. */
  replaceFiles(files: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

export const mutationOn = { MCP_ENABLE_MUTATION: '1' } as const;

/** Ids of plain calls are text with this prefix; the SDK client uses numbers. */
const plainMark = 'plain-';

interface Message {
  readonly id?: string | number;
  readonly result?: Json;
  readonly error?: RpcError;
}

/** Shares the pipes of one process between the SDK client and plain JSON-RPC. */
function share(child: ChildProcessWithoutNullStreams) {
  const waiting = new Map<string, (message: Message) => void>();
  let count = 0;
  let rest = '';
  const write = (message: unknown): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
  const transport: Transport = {
    async start() {},
    async send(message) {
      write(message);
    },
    async close() {
      transport.onclose?.();
    },
  };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      const taker = typeof message.id === 'string' ? waiting.get(message.id) : undefined;
      if (taker === undefined) transport.onmessage?.(JSON.parse(line));
      else taker(message);
    }
  });
  return {
    transport,
    plain(method: string, params?: Json): Promise<Message> {
      count += 1;
      const id = `${plainMark}${count}`;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        write({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
      });
    },
  };
}

interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Json;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** The text block contains the answer as JSON, equal to `structuredContent`; a failure is `{error}` in the text. */
function toReply(answer: ToolAnswer): Reply {
  const text = answer.content[0]?.text ?? '';
  const parsed = JSON.parse(text) as Json;
  if (answer.isError === true) return parsed;
  if (JSON.stringify(parsed) !== JSON.stringify(answer.structuredContent)) {
    throw new Error('the text block and structuredContent differ');
  }
  return { value: parsed };
}

const actionOf = (name: string): string => name.slice(name.indexOf('/') + 1);

/** Starts the built program on a new folder and connects the real client. */
export async function openCatalog(
  env: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, unknown>> = {},
): Promise<CatalogProgram> {
  const { folder, remove } = makeFolder();
  const home = join(folder, 'home');
  const entries = join(folder, 'instructions');
  mkdirSync(entries);
  const writeFile = (name: string, content: unknown): void =>
    writeFileSync(join(entries, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  for (const [name, content] of Object.entries(files)) writeFile(name, content);
  const ownEnv = { FOURFOLD_HOME: home, FOURFOLD_LOG_LEVEL: 'error', INSTRUCTIONS_DIR: entries, ...env };
  const child = startProgram([], ownEnv);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const { transport, plain } = share(child);
  const client = new Client({ name: 'tester', version: '1' });
  await client.connect(transport);

  async function call(form: CallForm, name: string, args: Json = {}): Promise<Reply> {
    const isDispatch = form.startsWith('dispatcher');
    const tool = isDispatch ? 'instructions/dispatch' : name;
    const given = isDispatch ? { action: actionOf(name), ...args } : args;
    if (form.endsWith('tools/call')) {
      return toReply((await client.callTool({ name: tool, arguments: { ...given } })) as ToolAnswer);
    }
    const { result, error } = await plain(tool, given);
    return error === undefined ? { value: result ?? {} } : { error };
  }

  return {
    client,
    child,
    entries,
    home,
    env: ownEnv,
    call,
    plain,
    writeFile,
    async replaceFiles(wanted) {
      for (const name of readdirSync(entries)) rmSync(join(entries, name), { recursive: true });
      for (const [name, content] of Object.entries(wanted)) writeFile(name, content);
      const { result, error } = await plain('instructions/reload');
      if (result?.['count'] !== Object.keys(wanted).length) throw new Error(JSON.stringify(result ?? error));
    },
    said: () => said,
    async value<T>(form: CallForm, name: string, args?: Json): Promise<T> {
      const { value, error } = await call(form, name, args);
      if (error !== undefined) throw new Error(`${name} failed: ${JSON.stringify(error)}`);
      return value as T;
    },
    async error(form, name, args) {
      const { value, error } = await call(form, name, args);
      if (error === undefined) throw new Error(`${name} did not fail: ${JSON.stringify(value).slice(0, 500)}`);
      return error;
    },
    async close() {
      await client.close();
      child.stdin.end();
      await ended;
      remove();
    },
  };
}

/** Repeats until the catalog is embedded: the first semantic search only starts it. */
export async function untilEmbedded(program: CatalogProgram): Promise<void> {
  const ask = async () => {
    const args = { q: 'anything', mode: 'semantic' };
    const { mode, hints } = await program.value<{ mode: string; hints?: readonly string[] }>(
      'plain method',
      'instructions/search',
      args,
    );
    return [mode, hints?.filter((hint) => hint.includes('embedded')) ?? []];
  };
  await vi.waitFor(async () => expect(await ask()).toEqual(['semantic', []]), { timeout: 120_000, interval: 50 });
}
