import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runProgram } from '#tests/support/program.ts';
import { openNotebooks } from '../notebooks/notebook-program.ts';
import { engines, type Json, openTruth, payloadInput, toTruthCaller } from './truth-program.fixture.ts';

const secret = 'Jane Private';
const recordId = '01936f2e-7c1a-7b3a-9f00-2c6d1c3f8a11';
const entityId = `ent_${'0'.repeat(24)}`;

/**
 * Every kind of access to a broken store, and its fault. SERVICE_UNAVAILABLE is missing: it needs a call to a closed
 * store, and a program closes its store only after the last answer.
 */
const calls: readonly (readonly [string, string, Json])[] = [
  ['DB_INSERT_FAILED', 'submit_payload', payloadInput({ vendor_name: secret })],
  ['DB_INSERT_FAILED', 'store_record', { type: 'a', properties: { a: secret } }],
  [
    'DB_INSERT_FAILED',
    'create_relationship',
    { relationship_type: 'PART_OF', source_entity_id: entityId, target_entity_id: `${entityId}1` },
  ],
  ['DB_UPDATE_FAILED', 'update_record', { id: recordId, properties: { a: secret } }],
  ['DB_UPDATE_FAILED', 'restore_record', { id: recordId }],
  ['DB_UPDATE_FAILED', 'correct_entity', { entity_id: entityId, fields: { address: secret } }],
  ['DB_DELETE_FAILED', 'delete_record', { id: recordId }],
  ['DB_QUERY_FAILED', 'get_entity_snapshot', { entity_id: entityId }],
  ['DB_QUERY_FAILED', 'retrieve_entities', {}],
  ['DB_QUERY_FAILED', 'list_timeline_events', {}],
  ['DB_QUERY_FAILED', 'retrieve_records', {}],
  ['SEARCH_FAILED', 'retrieve_records', { search: [secret], search_mode: 'keyword' }],
];

describe('a SQLite store that cannot be opened', () => {
  it.each([
    ['is not a database', 'not a database', (store: string) => writeFileSync(store, 'words '.repeat(1_000))],
    ['is a folder', 'cannot be opened', (store: string) => mkdirSync(store)],
  ])('because its file %s gives a code for failed reads, inserts, updates and deletes', async (_, why, spoil) => {
    const { folder, remove } = makeFolder();
    const home = join(folder, 'home');
    mkdirSync(home, { mode: 0o700 });
    const store = join(home, 'fourfold.db');
    spoil(store);
    const program = await openNotebooks({ FOURFOLD_HOME: home });
    const { fail } = toTruthCaller(program.client);
    for (const [code, tool, args] of calls) {
      const failure = await fail(tool, args);
      expect([tool, failure.code]).toEqual([tool, code]);
      expect(failure.message).toContain(why);
      expect(JSON.stringify(failure)).not.toContain(secret);
      expect(JSON.stringify(failure)).not.toContain(folder);
    }
    rmSync(store, { recursive: true });
    await program.close();
    const mended = await openNotebooks({ FOURFOLD_HOME: home });
    expect(await toTruthCaller(mended.client).call('retrieve_entities')).toMatchObject({ total: 0 });
    await mended.close();
    remove();
  });
});

describe.runIf(process.platform === 'linux')('a full disk under a SQLite store', () => {
  it('loses only the failing write, and continues when space is available', async () => {
    const program = await openNotebooks();
    const { call, fail } = toTruthCaller(program.client);
    /** A file size limit, which SQLite treats as a full disk. */
    const limitFiles = (bytes: number | 'unlimited'): void => {
      const words = ['--pid', String(program.child.pid), `--fsize=${bytes}:unlimited`];
      expect(spawnSync('prlimit', words).status).toBe(0);
    };
    await call('submit_payload', payloadInput());
    const before = await call('retrieve_entities');
    // Below the size of the large writes: they may start at the beginning of the file.
    limitFiles(Math.min(statSync(join(program.home, 'fourfold.db-wal')).size, 500_000));
    const large = payloadInput({ invoice_number: 'I-2', memo: 'x'.repeat(900_000) });
    // A write that fails at the commit may have been stored; repeating it resolves that.
    expect(await fail('submit_payload', large)).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await fail('store_record', { type: 'a', properties: { text: 'x'.repeat(900_000) } })).toMatchObject({
      code: 'OUTCOME_UNKNOWN',
    });
    expect(await call('retrieve_entities')).toEqual(before);
    expect(await call('retrieve_records')).toMatchObject({ total: 0 });
    limitFiles('unlimited');
    expect(await call('submit_payload', large)).toMatchObject({ created: true });
    expect(await call('retrieve_entities')).toMatchObject({ total: 4 });
    await program.end();
    const { stdout } = await runProgram(['truth', 'rebuild', '--check', '--json'], program.env);
    expect(JSON.parse(stdout)).toMatchObject({ entities: 4, differing: 0, missing: 0, wrong_totals: [] });
    await program.close();
  });
});

describe.each(engines)('a file that grows during the upload, on %s', (engine) => {
  it('is rejected, and accepted when it no longer changes', async () => {
    const program = await openTruth(engine);
    const file_path = join(program.files, 'growing.log');
    writeFileSync(file_path, Buffer.alloc(50_000_000, 'a line of a log\n'));
    let isGrowing = true;
    const grow = (): void => {
      appendFileSync(file_path, '.');
      if (isGrowing) setImmediate(grow);
    };
    grow();
    const failure = await program.fail('upload_file', { file_path, properties: '{}' }).finally(() => {
      isGrowing = false;
    });
    expect(failure).toMatchObject({
      code: 'UPLOAD_FAILED',
      message: expect.stringContaining('changed during the upload'),
    });
    expect(await program.call('retrieve_records')).toMatchObject({ total: 0 });
    const kept = readdirSync(program.home, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.parentPath.includes('blobs'),
    );
    expect(kept).toEqual([]);
    expect(await program.call('upload_file', { file_path, properties: '{}' })).toMatchObject({
      file_size: statSync(file_path).size,
    });
    await program.close();
  });
});
