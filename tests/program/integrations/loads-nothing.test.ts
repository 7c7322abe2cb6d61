import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { openTruth } from '../truth/truth-program.fixture.ts';

/** Packages of integrations; each loads when its integration is configured and used. */
const packages = '@aws-sdk/ @smithy/ plaid/ feedsmith/ ical.js/ fast-xml-parser/ imapflow/ mailparser/'.split(' ');

/** Appends the address of every module that the program loads to a file. */
const traceCode = (file: string): string => `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  registerHooks({
    load(url, context, next) {
      appendFileSync(${JSON.stringify(file)}, url + '\\n');
      return next(url, context);
    },
  });`;

async function openTraced(env: Readonly<Record<string, string>> = {}) {
  const { folder, remove } = makeFolder();
  const [hook, trace] = [join(folder, 'trace.mjs'), join(folder, 'loaded')];
  writeFileSync(hook, traceCode(trace));
  writeFileSync(trace, '');
  const program = await openTruth('SQLite', { NODE_OPTIONS: `--import=${hook}`, ...env });
  onTestFinished(async () => {
    await program.close();
    remove();
  });
  const loaded = (): readonly string[] => readFileSync(trace, 'utf8').split('\n');
  return {
    ...program,
    loaded,
    ofIntegrations: () => loaded().filter((url) => packages.some((name) => url.includes(`/node_modules/${name}`))),
  };
}

const aFile = { content_base64: Buffer.from('Some words.').toString('base64'), file_name: 'words.txt' };

it('[IG54] loads no package of an integration when none is configured, even if files are used', async () => {
  const program = await openTraced();
  const { file_url } = await program.call<{ file_url: string }>('upload_file', aFile);
  await program.call('get_file_url', { file_path: file_url });
  await program.call('list_provider_catalog');
  await program.call('connectors_list');
  expect(program.loaded().some((url) => url.endsWith('/dist/main.js'))).toBe(true);
  expect(program.ofIntegrations()).toEqual([]);
});

it('[IG54] loads them when one is configured and used, which shows that the trace sees them', async () => {
  const program = await openTraced({
    FOURFOLD_S3_BUCKET: 'uploads',
    FOURFOLD_S3_ENDPOINT: 'http://127.0.0.1:9',
    FOURFOLD_S3_ACCESS_KEY_ID: 'id',
    FOURFOLD_S3_SECRET_KEY: 'secret',
  });
  await program.call('retrieve_records');
  expect(program.ofIntegrations()).toEqual([]);
  expect(await program.fail('upload_file', aFile)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(program.ofIntegrations().length).toBeGreaterThan(10);
});

it('[IG54] loads the client of a mail server when one is connected', async () => {
  const program = await openTraced();
  const password = join(program.files, 'password');
  writeFileSync(password, 'word');
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = `imap://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { ...program.env, FOURFOLD_OUTBOUND_ALLOW: '127.0.0.1' };
  const words = ['connectors', 'add', 'imap', address, '--user', 'ada', '--secret-file', password];
  expect((await runProgram(words, env)).stderr).toContain('the connection to 127.0.0.1');
  expect(program.ofIntegrations().some((url) => url.includes('/node_modules/imapflow/'))).toBe(true);
});
