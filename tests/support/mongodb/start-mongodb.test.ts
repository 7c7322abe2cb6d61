import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { nodeFlags } from '../postgres/node-flags.ts';
import type { Writable } from './bson.ts';
import { openRawClient, type Plain, type RawClient } from './raw-client.ts';
import { startMongodb } from './start-mongodb.ts';

// Needed before the tests are named: a name says if the server is missing.
const mongodb = await startMongodb('');
const title =
  'url' in mongodb ? 'the MongoDB server of the tests' : `no MongoDB server for the tests: ${mongodb.reason}`;

afterAll(() => mongodb.stop());

async function withClient(work: (client: RawClient) => Promise<void>): Promise<void> {
  if (!('url' in mongodb)) throw new Error(mongodb.reason);
  const client = await openRawClient(mongodb.url);
  try {
    await work(client);
  } finally {
    client.close();
  }
}

const inDatabase = (fields: Readonly<Record<string, Writable>>): Readonly<Record<string, Writable>> => ({
  ...fields,
  $db: 'own_tests',
});

describe.runIf('url' in mongodb)(title, () => {
  test('stores documents and returns them in order, page by page', () =>
    withClient(async (client) => {
      const documents = Array.from({ length: 25 }, (_, _id) => ({ _id, text: `number ${_id}` }));
      expect(await client.ask(inDatabase({ insert: 'pages', documents }))).toMatchObject({ n: 25, ok: 1 });
      const found: Plain[] = [];
      const first = await client.ask(inDatabase({ find: 'pages', sort: { _id: -1 }, batchSize: 10 }));
      let { id, firstBatch: batch } = first['cursor'] as { id: bigint; firstBatch: Plain[] };
      found.push(...batch);
      while (id !== 0n) {
        const next = await client.ask(inDatabase({ getMore: id, collection: 'pages', batchSize: 10 }));
        ({ id, nextBatch: batch } = next['cursor'] as { id: bigint; nextBatch: Plain[] });
        found.push(...batch);
      }
      expect(found).toEqual(documents.toReversed());
    }));

  test("rejects a duplicate value of a unique index with MongoDB's code", () =>
    withClient(async (client) => {
      const indexes = [{ key: { email: 1 }, name: 'email_1', unique: true }];
      expect(await client.ask(inDatabase({ createIndexes: 'people', indexes }))).toMatchObject({ ok: 1 });
      const insert = inDatabase({ insert: 'people', documents: [{ email: 'a' }] });
      expect(await client.ask(insert)).toMatchObject({ n: 1 });
      expect(await client.ask(insert)).toMatchObject({ n: 0, writeErrors: [{ index: 0, code: 11_000 }] });
      const modify = { findAndModify: 'people', query: { email: 'b' }, update: { $set: { email: 'a' } }, upsert: true };
      expect(await client.ask(inDatabase(modify))).toMatchObject({ ok: 0, code: 11_000 });
      expect(await client.ask(inDatabase({ count: 'people' }))).toMatchObject({ n: 1 });
    }));

  test('reports unknown commands and continues', () =>
    withClient(async (client) => {
      expect(await client.ask(inDatabase({ frobnicate: 1 }))).toMatchObject({ ok: 0, code: 59 });
      expect(await client.ask(inDatabase({ getMore: 12n, collection: 'pages' }))).toMatchObject({ ok: 0, code: 43 });
      expect(await client.ask(inDatabase({ find: 'pages', filter: { a: { $no: 1 } } }))).toMatchObject({
        ok: 0,
        code: 2,
      });
      expect(await client.ask(inDatabase({ ping: 1 }))).toEqual({ ok: 1 });
    }));

  test('stops with the process that started it, even if that is killed', async () => {
    const script = fileURLToPath(new URL('./mongodb-holder.ts', import.meta.url));
    const holder = spawn(process.execPath, [...nodeFlags, script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [url] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
    const knock = async () => (await openRawClient(url)).close();
    await knock();
    holder.kill('SIGKILL');
    await vi.waitFor(() => expect(knock()).rejects.toThrow('ECONNREFUSED'), {
      timeout: 120_000,
      interval: 20,
    });
  });
});

describe('without a MongoDB server', () => {
  test('gives the reason', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'ff-no-mongodb-'));
    const env = { TMPDIR: empty, PATH: empty };
    const script = fileURLToPath(new URL('./keeper.ts', import.meta.url));
    const keeper = spawn(process.execPath, [...nodeFlags, script], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface({ input: keeper.stdout }), 'line')) as [string];
    expect(JSON.parse(line)).toEqual({ reason: expect.stringMatching(/is not on this machine|no packages for/) });
    rmSync(empty, { recursive: true });
  });

  test('uses the configured server', async () => {
    expect(await startMongodb('mongodb://elsewhere:27017/')).toMatchObject({ url: 'mongodb://elsewhere:27017' });
  });
});
