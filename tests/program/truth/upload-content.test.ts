import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildPdf, invoiceFields, invoiceLines } from '#domains/truth/files/sample-files.fixture.ts';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { makeFolder, programFile, runProgram } from '#tests/support/program.ts';
import {
  engines,
  type Failure,
  type Json,
  openTruth,
  type StoredRecord,
  serveTruth,
  toTruthCaller,
} from './truth-program.fixture.ts';

interface Uploaded {
  readonly record?: StoredRecord;
  readonly updated?: boolean;
  readonly file_url: string;
  readonly file_size: number;
  readonly content_type: string;
}

interface Surface {
  call(args: Json): Promise<Uploaded>;
  fail(args: Json): Promise<Failure>;
  /** The bytes behind a file_url. */
  download(file_url: string): Promise<Buffer>;
}

const fetchBytes = async (url: unknown): Promise<Buffer> => Buffer.from(await (await fetch(String(url))).arrayBuffer());

async function openStdio(engine: (typeof engines)[number]): Promise<Surface> {
  const program = await openTruth(engine);
  onTestFinished(() => program.close());
  return {
    call: (args) => program.call('upload_file', args),
    fail: (args) => program.fail('upload_file', args),
    download: async (file_path) => fetchBytes((await program.call('get_file_url', { file_path }))['signed_url']),
  };
}

async function openApi(engine: (typeof engines)[number]): Promise<Surface> {
  const truth = await serveTruth(engine, { FOURFOLD_RATE_LIMITS: 'false' });
  onTestFinished(() => truth.stop());
  const post = (tool: string, args: Json) => truth.post(truth.served.key, tool, args);
  return {
    async call(args) {
      const { status, body } = await post('upload_file', args);
      expect([status, body]).toEqual([200, expect.anything()]);
      return body as unknown as Uploaded;
    },
    fail: async (args) => (await post('upload_file', args)).error,
    download: async (file_path) => fetchBytes((await post('get_file_url', { file_path })).body['signed_url']),
  };
}

describe.each(engines)('[TR50] a file whose bytes are in the call, on %s', (engine) => {
  it.each([
    ['stdio', openStdio],
    ['HTTP', openApi],
  ])('is analysed, stored once, updated and served over %s', async (_name, open) => {
    const { call, fail, download } = await open(engine);
    const bytes = buildPdf(invoiceLines);
    const content = { content_base64: bytes.toString('base64'), file_name: 'bill.pdf' };
    const first = await call(content);
    expect(first).toMatchObject({
      record: { type: 'FinancialRecord', properties: { ...invoiceFields, file_name: 'bill.pdf' } },
      file_url: `fourfold://files/${sha256Hex(bytes)}`,
      file_size: bytes.length,
      content_type: 'application/pdf',
    });
    expect((await download(first.file_url)).equals(bytes)).toBe(true);
    expect(await call({ ...content, file_name: 'other.pdf' })).toEqual(first);
    const updated = await call({ ...content, properties: '{"status":"paid"}' });
    expect(updated).toMatchObject({ updated: true, record: { id: first.record!.id, properties: { status: 'paid' } } });

    const large = Buffer.alloc(12_000_000, 'words of a line\n');
    const taken = await call({
      content_base64: large.toString('base64'),
      file_name: 'large.txt',
      properties: '{"n":1}',
    });
    expect(taken).toMatchObject({ file_size: 12_000_000, record: { properties: { n: 1 } } });
    expect((await download(taken.file_url)).equals(large)).toBe(true);

    for (const [field, args] of [
      ['file_path', {}],
      ['content_base64', { ...content, file_path: 'a.pdf' }],
      ['file_name', { content_base64: content.content_base64 }],
      ['content_base64', { ...content, content_base64: 'not base64' }],
      ['content_base64', { ...content, content_base64: content.content_base64.slice(0, -6) }],
    ] as const) {
      expect(await fail(args)).toMatchObject({ code: 'VALIDATION_ERROR', details: { field } });
    }
  });
});

it('refuses a message over 16 MiB and serves the next one', async () => {
  const truth = await serveTruth('SQLite', { FOURFOLD_RATE_LIMITS: 'false' });
  onTestFinished(() => truth.stop());
  const send = (content_base64: string) =>
    truth.post(truth.served.key, 'upload_file', { content_base64, file_name: 'a.txt', properties: '{}' });
  const { status, error } = await send('A'.repeat(16 * 1024 * 1024));
  expect([status, error.code]).toEqual([413, 'RESOURCE_LIMIT']);
  expect((await send('YQ==')).body).toMatchObject({ file_size: 1 });
});

describe('[TR52] folders that may be read', () => {
  it('are named in the error for a path outside them, with the setting that adds one', async () => {
    const [program, truth] = [await openTruth('SQLite'), await serveTruth('SQLite')];
    onTestFinished(async () => {
      await program.close();
      await truth.stop();
    });
    const { message, details } = await program.fail('upload_file', { file_path: '/etc/hosts' });
    expect(message).toContain(program.files);
    expect(message).toContain('FOURFOLD_FILE_ROOTS');
    expect(details).toMatchObject({ allowed_roots: [program.files], setting: 'fileRoots' });
    const posted = await truth.post(truth.served.key, 'upload_file', { file_path: '/etc/hosts' });
    expect([posted.status, posted.error.code]).toEqual([404, 'FILE_NOT_FOUND']);
    expect(posted.error.message).toContain(join(truth.store.folder, 'files'));
  });

  it('are the working directory, unless it is or contains the home or the data folder', async () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    const [home, user, project] = ['data/fourfold', 'users/ada', 'project'].map((name) => join(folder, name));
    for (const place of [home!, user!, project!]) {
      mkdirSync(place, { recursive: true, mode: 0o700 });
      writeFileSync(join(place, 'note.txt'), `a note in ${place}`);
    }
    const env = { HOME: user!, FOURFOLD_HOME: home!, FOURFOLD_LOG_LEVEL: 'error' };

    async function tryIn(cwd: string, more: Readonly<Record<string, string>> = {}) {
      const client = new Client({ name: 'tester', version: '1' });
      const command = { command: process.execPath, args: [programFile], cwd, env: { ...env, ...more } };
      await client.connect(new StdioClientTransport(command));
      try {
        const caller = toTruthCaller(client);
        const { code, message } = await caller.fail('upload_file', { file_path: 'note.txt' }).catch(() => ({
          code: 'stored',
          message: '',
        }));
        return { code, message };
      } finally {
        await client.close();
      }
    }

    expect(await tryIn(project!)).toEqual({ code: 'stored', message: '' });
    for (const [cwd, reason] of [
      ['/', 'the root of the file system'],
      [user!, 'home folder'],
      [join(folder, 'users'), 'home folder'],
      [home!, 'data folder'],
      [join(folder, 'data'), 'data folder'],
    ] as const) {
      const { code, message } = await tryIn(cwd);
      expect([cwd, code]).toEqual([cwd, 'FILE_NOT_FOUND']);
      expect(message).toContain(reason);
      expect(message).toContain('FOURFOLD_FILE_ROOTS');
    }
    expect(await tryIn(user!, { FOURFOLD_FILE_ROOTS: user! })).toMatchObject({ code: 'stored' });

    // The same on the command line, where the path needs no flag.
    const run = (cwd: string, ...flags: readonly string[]) =>
      runProgram(['upload', 'file', 'note.txt', '--json', ...flags], env, '', cwd);
    expect(await run(project!)).toMatchObject({ code: 0, stdout: expect.stringContaining('fourfold://files/') });
    expect((await run(user!)).stderr).toContain('FOURFOLD_FILE_ROOTS');
    expect(await run(user!, '--file-roots', user!)).toMatchObject({ code: 0 });
  });
});
