import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres/test-database.ts';
import { makeFolder, runProgram, type Served, serveProgram } from '#tests/support/program.ts';
import { type EngineName, type Json, openNotebooks, openOn, quietEnv } from '../notebooks/notebook-program.ts';

export { engines, type Json } from '../notebooks/notebook-program.ts';

/** Section 4 of the document. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly details?: Json;
  readonly trace_id: string;
}

export interface TruthCaller {
  readonly client: Client;
  /** The answer of a call that must succeed. */
  call<T = Json>(name: string, args?: Json): Promise<T>;
  /** The error of a call that must fail. */
  fail(name: string, args?: Json): Promise<Failure>;
}

interface ToolAnswer {
  readonly isError?: boolean;
  readonly structuredContent?: Json;
  readonly content: readonly { readonly text?: string }[];
}

export function toTruthCaller(client: Client): TruthCaller {
  async function ask(name: string, args: Json) {
    const answer = (await client.callTool({ name, arguments: { ...args } })) as ToolAnswer;
    return { answer, text: answer.content[0]?.text ?? '' };
  }
  return {
    client,
    async call<T>(name: string, args: Json = {}): Promise<T> {
      const { answer, text } = await ask(name, args);
      if (answer.isError === true) throw new Error(`${name} failed: ${text}`);
      if (text !== JSON.stringify(answer.structuredContent)) throw new Error('text and structuredContent differ');
      return answer.structuredContent as T;
    },
    async fail(name, args = {}) {
      const { answer, text } = await ask(name, args);
      if (answer.isError !== true) throw new Error(`${name} did not fail: ${text.slice(0, 500)}`);
      const { error, ...rest } = JSON.parse(text) as { error: Failure };
      const known = new Set(['code', 'message', 'details', 'trace_id']);
      const isWhole = Object.keys(rest).length === 0 && Object.keys(error).every((key) => known.has(key));
      if (!isWhole) throw new Error(`not in the form of this family: ${text.slice(0, 500)}`);
      return error;
    },
  };
}

/** Arguments of create_relationship, or replacements for tests. */
export const relate = (
  relationship_type: unknown,
  source_entity_id: unknown,
  target_entity_id: unknown,
  more: Json = {},
): Json => ({ relationship_type, source_entity_id, target_entity_id, ...more });

export interface TruthProgram extends TruthCaller {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** The only folder it may read files from. */
  readonly files: string;
  /** The content of its log file. */
  logged(): string;
  close(): Promise<void>;
}

/** The built program on either engine, with a real client. */
export async function openTruth(engine: EngineName, env: Readonly<Record<string, string>> = {}): Promise<TruthProgram> {
  const { folder: files, remove } = makeFolder();
  const { folder: logs, remove: removeLogs } = makeFolder();
  const logFile = join(logs, 'log');
  const program = await openOn(engine, {
    FOURFOLD_FILE_ROOTS: files,
    FOURFOLD_LOG_LEVEL: 'info',
    FOURFOLD_LOG_FILE: logFile,
    ...env,
  });
  return {
    ...toTruthCaller(program.client),
    home: program.home,
    env: program.env,
    files,
    logged: () => readFileSync(logFile, 'utf8'),
    async close() {
      await program.close();
      remove();
      removeLogs();
    },
  };
}

export interface SharedStore {
  readonly folder: string;
  readonly database: TestDatabase | undefined;
  readonly env: Readonly<Record<string, string>>;
  /** Starts another program on the same store. */
  open(): Promise<TruthCaller & { close(): Promise<void> }>;
  remove(): Promise<void>;
}

/** A store for several programs: a data folder or a database. */
export async function makeSharedStore(
  engine: EngineName,
  more: Readonly<Record<string, string>> = {},
): Promise<SharedStore> {
  const { folder, remove } = makeFolder();
  const database = engine === 'PostgreSQL' ? await createTestDatabase() : undefined;
  const env = {
    ...quietEnv,
    FOURFOLD_HOME: join(folder, 'home'),
    FOURFOLD_FILE_ROOTS: join(folder, 'files'),
    ...(database === undefined ? {} : { FOURFOLD_DATABASE_URL: database.url }),
    ...more,
  };
  mkdirSync(env.FOURFOLD_FILE_ROOTS);
  return {
    folder,
    database,
    env,
    async open() {
      const program = await openNotebooks(env);
      return { ...toTruthCaller(program.client), close: () => program.close() };
    },
    async remove() {
      await database?.drop();
      remove();
    },
  };
}

export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  /** The whole error; undefined if the call succeeds. */
  readonly error: Failure;
}

export interface ServedTruth {
  readonly served: Served;
  readonly store: SharedStore;
  /** An API key of a tenant, with the scopes read and write, or with more. */
  makeKey(tenant: string, ...scopes: readonly string[]): Promise<string>;
  post(key: string, tool: string, args: Json | string, headers?: Readonly<Record<string, string>>): Promise<Posted>;
  connect(key: string): Promise<TruthCaller>;
  logged(): string;
  stop(): Promise<void>;
}

/** The same program over HTTP. */
export async function serveTruth(
  engine: EngineName,
  more: Readonly<Record<string, string>> = {},
): Promise<ServedTruth> {
  return serveOn(await makeSharedStore(engine), more);
}

export async function serveOn(store: SharedStore, more: Readonly<Record<string, string>>): Promise<ServedTruth> {
  const logFile = join(store.folder, 'log');
  const env = { ...store.env, FOURFOLD_LOG_LEVEL: 'info', FOURFOLD_LOG_FILE: logFile, ...more };
  const served = await serveProgram(env);
  return {
    served,
    store,
    async makeKey(tenant, ...extra) {
      const words = ['keys', 'create', '--name', ['of', tenant, ...extra].join('-'), '--tenant', tenant];
      const scopes = ['read', 'write', ...extra].flatMap((scope) => ['--scopes', scope]);
      const { stdout } = await runProgram([...words, ...scopes, '--json'], env);
      return (JSON.parse(stdout) as { readonly key: string }).key;
    },
    async post(key, tool, args, headers = {}) {
      const answer = await fetch(`${served.url}/api/tools/${tool}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: typeof args === 'string' ? args : JSON.stringify(args),
      });
      const body = (await answer.json()) as Json & { readonly error: Failure };
      return { status: answer.status, headers: answer.headers, body, error: body.error };
    },
    async connect(key) {
      const client = new Client({ name: 'tester', version: '1' });
      const requestInit = { headers: { authorization: `Bearer ${key}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`), { requestInit }));
      return toTruthCaller(client);
    },
    logged: () => readFileSync(logFile, 'utf8'),
    async stop() {
      await served.stop();
      await store.remove();
    },
  };
}

export const invoice = 'neotoma:store_invoice:v1';

/** The payload of section 3.1 with some values replaced. */
export const payloadInput = (body: Json = {}, more: Json = {}, provenance: Json = {}): Json => ({
  capability_id: invoice,
  body: {
    invoice_number: 'INV-001',
    amount: 1500.0,
    vendor_name: 'Acme Corp',
    customer_name: 'Test Customer',
    date: '2025-01-15',
    ...body,
  },
  provenance: {
    source_refs: [],
    extracted_at: '2025-01-15T10:30:00Z',
    extractor_version: 'neotoma-mcp:v0.2.1',
    agent_id: 'claude-3-opus',
    ...provenance,
  },
  ...more,
});

export interface Submitted {
  readonly payload_id: string;
  readonly payload_content_id: string;
  readonly payload_submission_id: string;
  readonly submission_id: string;
  readonly observations_added: number;
  readonly created: boolean;
  readonly message: string;
  readonly entities: readonly {
    readonly entity_id: string;
    readonly entity_type: string;
    readonly observation_id: string;
    readonly identity_rule: string;
    readonly role: string;
  }[];
}

export interface Snapshot {
  readonly entity_id: string;
  readonly entity_type: string;
  readonly schema_version: string;
  readonly snapshot: Json;
  readonly provenance: Readonly<Record<string, string>>;
  readonly computed_at: string;
  readonly observation_count: number;
  readonly last_observation_at: string;
}

export interface StoredRecord {
  readonly id: string;
  readonly type: string;
  readonly properties: Json;
  readonly file_urls: readonly string[];
  readonly created_at: string;
  readonly updated_at: string;
  readonly similarity?: number;
}

export const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
