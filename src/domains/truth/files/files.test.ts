import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { findEntity } from '../entities/entity-store.ts';
import { entityIdOf } from '../observations/entity-name.ts';
import type { RecordWithStatements } from '../records/read-record.ts';
import { parseState, toStateView } from '../reducer/entity-state.ts';
import { createSchemas } from '../schemas/schemas.ts';
import { truthLimits } from '../truth-limits.ts';
import { findFile } from './file-store.ts';
import { describeFiles, type FilesEngine, type FileToolAnswer } from './files.fixture.ts';
import {
  buildDocx,
  buildDoublingPdf,
  buildLockedPdf,
  buildPdf,
  invoiceFields,
  invoiceLines,
} from './sample-files.fixture.ts';
import { streamFile } from './stream-file.ts';

const codeOf = (answer: FileToolAnswer) => answer.error?.code;

async function snapshotOf(
  { storage }: FilesEngine,
  call: Parameters<ReturnType<FilesEngine['storage']>['read']>[0],
  id: string,
) {
  const schemas = createSchemas({ storage: storage() });
  return storage().read(call, function* (db) {
    const row = yield* findEntity(db, id);
    if (row === undefined) return undefined;
    const schema = yield* schemas.active(db, row.entity_type);
    return toStateView(parseState(row.state), schema).snapshot;
  });
}

describeFiles('[TR25] files', (engine) => {
  test('turns an invoice PDF into a record with fields and into entities with provenance', async () => {
    const fixture = await engine.open();
    const { ask, upload, call } = fixture.as(engine.newTenant());
    const bytes = buildPdf(invoiceLines);
    const answer = await upload('sample_invoice.pdf', bytes);
    expect(answer).toMatchObject({
      record: {
        type: 'FinancialRecord',
        properties: {
          ...invoiceFields,
          document_kind: 'invoice',
          file_name: 'sample_invoice.pdf',
          text_truncated: false,
        },
        file_urls: [answer.file_url],
      },
      file_url: `fourfold://files/${sha256Hex(bytes)}`,
      file_size: bytes.length,
      content_type: 'application/pdf',
    });
    const text = String(answer.record!.properties['text']);
    expect(text).toContain('Hafenstrasse');
    const read = (await ask('get_record', { id: answer.record!.id })) as unknown as RecordWithStatements;
    expect(read).toMatchObject(answer.record!);
    const self = read.extracted.find(({ entity_type }) => entity_type === 'invoice')!;
    const number = self.fields.find(({ field }) => field === 'invoice_number')!;
    const { text: excerpt, offset } = number.source_text!;
    expect(excerpt.slice(offset).startsWith('INV-2026-0042')).toBe(true);
    expect(text.slice(number.source_text!.start, number.source_text!.end)).toBe('INV-2026-0042');
    const day = self.fields.find(({ field }) => field === 'date')!;
    expect(text.slice(day.source_text!.start, day.source_text!.end)).toBe('31 May 2026');
    // The excerpt begins with a whole word.
    expect(text.split(/\s+/)).toContain(day.source_text!.text.split(/\s/)[0]);
    expect(read.extracted.map(({ canonical_name }) => canonical_name)).toContain('globex');
    const other = fixture.as(engine.newTenant());
    expect(codeOf(await other.ask('get_record', { id: answer.record!.id }))).toBe('RECORD_NOT_FOUND');
    for (const id of ['', 7]) expect(codeOf(await ask('get_record', { id }))).toBe('VALIDATION_ERROR');
    const invoice = await snapshotOf(engine, call, entityIdOf('invoice', 'inv-2026-0042\u001facme tools'));
    expect(invoice).toMatchObject({ invoice_number: 'INV-2026-0042', amount: 1444.66, date: '2026-05-31' });
    expect(await snapshotOf(engine, call, entityIdOf('company', 'acme tools'))).toMatchObject({
      tax_id: 'DE123456789',
    });
    expect(await snapshotOf(engine, call, entityIdOf('company', 'globex'))).toMatchObject({
      name: 'Globex Corporation',
    });
    const found = (await ask('retrieve_records', { search: ['Hafenstrasse'], search_mode: 'keyword' })) as {
      records?: { id: string }[];
    };
    expect(found.records?.map(({ id }) => id)).toEqual([answer.record!.id]);
  });

  test('stores the same bytes as one file and one record, under any name, also concurrently', async () => {
    const fixture = await engine.open();
    const { ask, upload } = fixture.as(engine.newTenant());
    const first = await upload('a.docx', buildDocx(invoiceLines));
    expect(first.record?.type).toBe('FinancialRecord');
    expect(await upload('renamed.txt', buildDocx(invoiceLines))).toEqual(first);
    const text = 'one and the same text';
    await Promise.all([1, 2, 3, 4].map((i) => writeFile(join(fixture.root, `same-${i}.txt`), text)));
    const answers = await Promise.all([1, 2, 3, 4].map((i) => ask('upload_file', { file_path: `same-${i}.txt` })));
    expect(new Set(answers.map(({ record }) => record?.id)).size).toBe(1);
    expect(await ask('retrieve_records', { type: 'Document' })).toMatchObject({ total: 1 });
  });

  test('keeps tenants and buckets apart', async () => {
    const fixture = await engine.open();
    const [a, b] = [fixture.as(engine.newTenant()), fixture.as(engine.newTenant())];
    const mine = await a.upload('n.txt', 'a note for one');
    const theirs = await b.upload('n.txt', 'a note for one');
    expect(theirs.file_url).toBe(mine.file_url);
    expect(theirs.record!.id).not.toBe(mine.record!.id);
    expect(await fixture.keptCount()).toBe(2);
    const other = await a.upload('n.txt', 'a note for one', { bucket: 'archive' });
    expect(other.file_url).toBe(mine.file_url!.replace('files/', 'archive/'));
    const stranger = fixture.as(engine.newTenant());
    expect(codeOf(await stranger.ask('get_file_url', { file_path: mine.file_url }))).toBe('FILE_NOT_FOUND');
  });

  test('skips the analysis if properties are given, and rejects invalid ones before storing anything', async () => {
    const fixture = await engine.open();
    const { upload } = fixture.as(engine.newTenant());
    for (const properties of [
      '{',
      '[1]',
      '"x"',
      'null',
      '{"a":'.repeat(40),
      '{"a":"\\ud800"}',
      '{"a":"\\u0000"}',
      '{"a":1e999}',
    ]) {
      expect(codeOf(await upload('x.txt', 'x y z', { properties })), properties).toBe('VALIDATION_ERROR');
    }
    expect(await fixture.keptCount()).toBe(0);
    const answer = await upload('locked.pdf', buildLockedPdf(), { properties: '{"kind":"letter","n":1}' });
    expect(answer.record).toMatchObject({ type: 'Document', properties: { kind: 'letter', n: 1 } });
  });

  test('attaches a file to a record once, and rejects an unknown record', async () => {
    const fixture = await engine.open();
    const { ask, upload } = fixture.as(engine.newTenant());
    expect(codeOf(await upload('x.txt', 'x', { record_id: 'unknown' }))).toBe('RECORD_NOT_FOUND');
    expect(await fixture.keptCount()).toBe(0);
    const { id } = (await ask('store_record', { type: 'letter', properties: {} })) as { id?: string };
    const answer = await upload('x.txt', 'x', { record_id: id });
    expect(answer).toEqual({ file_url: expect.any(String), file_size: 1, content_type: 'text/plain' });
    await upload('x.txt', 'x', { record_id: id });
    expect(await ask('retrieve_records', {})).toMatchObject({
      total: 1,
      records: [{ id, file_urls: [answer.file_url] }],
    });
    expect(codeOf(await upload('x.txt', 'x', { record_id: id, properties: '{}' }))).toBe('VALIDATION_ERROR');
  });

  test('keeps the file on ANALYSIS_FAILED, and analyses it again on the next upload', async () => {
    const fixture = await engine.open();
    const { ask, upload } = fixture.as(engine.newTenant());
    const answer = await upload('locked.pdf', buildLockedPdf());
    expect(answer.error).toMatchObject({
      code: 'ANALYSIS_FAILED',
      message: expect.stringContaining('encrypted'),
      details: { file_url: `fourfold://files/${sha256Hex(buildLockedPdf())}`, content_type: 'application/pdf' },
    });
    const { file_url } = answer.error!.details!;
    expect((await ask('get_file_url', { file_path: file_url })).signed_url).toContain('/files/');
    expect(await ask('retrieve_records', {})).toMatchObject({ total: 0 });
    expect(codeOf(await upload('locked.pdf', buildLockedPdf()))).toBe('ANALYSIS_FAILED');
    const given = await upload('locked.pdf', buildLockedPdf(), { properties: '{"a":1}' });
    expect(given).toMatchObject({ record: { properties: { a: 1 } }, file_url });
  });

  test('reports a crashed extraction as ANALYSIS_FAILED, and stores nothing for a cancelled call', async () => {
    const broken = (error: Error): Workers => ({
      async run() {
        throw error;
      },
      async close() {},
    });
    const crashing = await engine.open({ workers: broken(new Error('the task truth/extract crashed its worker')) });
    const answer = await crashing.as(engine.newTenant()).upload('a.txt', 'words');
    expect(answer.error).toMatchObject({
      code: 'ANALYSIS_FAILED',
      message: expect.stringContaining('process crashed'),
    });

    const buggy = await engine.open({ workers: broken(new Error('a bug of ours')) });
    await expect(buggy.as(engine.newTenant()).upload('a.txt', 'words')).rejects.toThrow('a bug of ours');

    const controller = new AbortController();
    const waiting: Workers = {
      run: (_task, _input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal!.addEventListener('abort', () => reject(signal!.reason), { once: true });
          controller.abort();
        }),
      close: async () => {},
    };
    const fixture = await engine.open({ workers: waiting });
    const { ask, call } = fixture.as(engine.newTenant());
    await writeFile(join(fixture.root, 'a.txt'), 'words');
    expect(codeOf(await ask('upload_file', { file_path: 'a.txt' }, { signal: controller.signal }))).toBe('CANCELLED');
    const address = { bucket: 'files', sha256: sha256Hex('words') };
    expect(await engine.storage().read(call, (db) => findFile(db, address))).toBeUndefined();
  });

  test('keeps a file that waits too long for the extraction of others', async () => {
    const fixture = await engine.open({ patienceMs: 50 });
    const { ask, upload } = fixture.as(engine.newTenant());
    // The first one uses all its CPU time, and there is one process.
    const answers = await Promise.all([
      upload('long.pdf', buildDoublingPdf(30)),
      upload('other.pdf', buildDoublingPdf(31)),
    ]);
    for (const { error } of answers) {
      expect(error).toMatchObject({
        code: 'ANALYSIS_FAILED',
        message: expect.stringContaining('too many other files'),
      });
      const { file_url } = error!.details!;
      expect((await ask('get_file_url', { file_path: file_url })).signed_url).toContain('/files/');
    }
  });

  test('creates a new record when the file of a deleted record is uploaded again', async () => {
    const fixture = await engine.open();
    const { ask, upload } = fixture.as(engine.newTenant());
    const first = await upload('n.txt', 'a note to lose');
    await ask('delete_record', { id: first.record!.id });
    const again = await upload('n.txt', 'a note to lose');
    expect(again.record!.id).not.toBe(first.record!.id);
    expect(again.file_url).toBe(first.file_url);
  });

  test('gives one answer per idempotency key', async () => {
    const fixture = await engine.open();
    const { ask } = fixture.as(engine.newTenant());
    await writeFile(join(fixture.root, 'k.txt'), 'first words');
    const once = await ask('upload_file', { file_path: 'k.txt' }, { idempotencyKey: 'k1' });
    expect(await ask('upload_file', { file_path: 'k.txt' }, { idempotencyKey: 'k1' })).toEqual(once);
    expect(codeOf(await ask('upload_file', { file_path: 'k.txt', bucket: 'b' }, { idempotencyKey: 'k1' }))).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
  });

  test('rolls the record back and reports the fault when the store rejects a row', async () => {
    const fixture = await engine.open();
    const { ask, upload } = fixture.as(engine.newTenant());
    await engine.testStore().tamper('alter table truth_observations rename to hidden_observations');
    try {
      await expect(upload('n.txt', 'words that are kept nowhere')).rejects.toThrow('truth_observations');
    } finally {
      await engine.testStore().tamper('alter table hidden_observations rename to truth_observations');
      fixture.bugs.length = 0;
    }
    expect(await ask('retrieve_records', {})).toMatchObject({ total: 0 });
    const fileUrl = `fourfold://files/${sha256Hex('words that are kept nowhere')}`;
    expect(codeOf(await ask('get_file_url', { file_path: fileUrl }))).toBe('FILE_NOT_FOUND');
    expect((await upload('n.txt', 'words that are kept nowhere')).record?.type).toBe('Document');
  });
});

describeFiles('invalid files', (engine) => {
  test('gives the same answer for missing, outside, hidden, data-folder and special files', async () => {
    const fixture = await engine.open();
    const { root, top, home } = fixture;
    await writeFile(join(top, 'secret.txt'), 'secret');
    await writeFile(join(home, 'key.txt'), 'key');
    await writeFile(join(root, '.env'), 'hidden');
    await symlink(join(top, 'secret.txt'), join(root, 'link-out.txt'));
    await mkdir(join(root, 'folder'));
    spawnSync('mkfifo', [join(root, 'pipe')]);
    const { ask } = fixture.as(engine.newTenant());
    const paths = [
      'missing.txt',
      '../secret.txt',
      join(top, 'secret.txt'),
      'home/key.txt',
      '.env',
      'link-out.txt',
      'folder',
      'pipe',
      '/dev/zero',
      '/dev/null',
    ];
    const answers = await Promise.all(paths.map((file_path) => ask('upload_file', { file_path })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set([JSON.stringify(answers[0])]));
    expect(answers[0]!.error).toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringMatching(new RegExp(`allowed folders: ${root}\\. .*FOURFOLD_FILE_ROOTS`)),
      details: { allowed_roots: [root], setting: 'fileRoots' },
    });
    const none = await engine.open({ noRoots: true });
    expect((await none.as(engine.newTenant()).upload('a.txt', 'a')).error).toMatchObject({
      code: 'FILE_NOT_FOUND',
      message: expect.stringContaining('No folder may be read: '),
      details: { allowed_roots: [], setting: 'fileRoots' },
    });
  });

  test('accepts 50 MB and rejects one byte more', async () => {
    const fixture = await engine.open();
    const { ask } = fixture.as(engine.newTenant());
    const file = join(fixture.root, 'large.txt');
    await writeFile(file, Buffer.alloc(truthLimits.fileBytes + 1, 'words of a line\n'));
    expect((await ask('upload_file', { file_path: 'large.txt' })).error).toMatchObject({
      code: 'FILE_TOO_LARGE',
      details: { file_size_bytes: 52_428_801, max_size_bytes: 52_428_800 },
    });
    expect(await fixture.keptCount()).toBe(0);
    await truncate(file, truthLimits.fileBytes);
    const answer = await ask('upload_file', { file_path: 'large.txt' });
    expect(answer).toMatchObject({
      file_size: 52_428_800,
      record: { properties: { text_truncated: true, text_chars: expect.any(Number) } },
    });
  });

  test('rejects unsupported types and stores nothing', async () => {
    const fixture = await engine.open();
    const { upload } = fixture.as(engine.newTenant());
    for (const [name, bytes] of [
      ['program.pdf', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0])],
      ['notes.txt', Buffer.from('a\0b')],
    ] as const) {
      expect(codeOf(await upload(name, bytes)), name).toBe('UNSUPPORTED_FILE_TYPE');
    }
    expect(await fixture.keptCount()).toBe(0);
  });

  test('does not store part of a file that grows during the upload', async () => {
    const fixture = await engine.open({
      before: (store) => ({
        ...store,
        put: (tenant, source) =>
          store.put(
            tenant,
            (async function* () {
              for await (const chunk of source) {
                appendFileSync(join(fixture.root, 'log.txt'), 'one more line\n');
                yield chunk;
              }
            })(),
          ),
      }),
    });
    const answer = await fixture.as(engine.newTenant()).upload('log.txt', 'the first line\n');
    expect(answer.error).toMatchObject({ code: 'UPLOAD_FAILED', message: expect.stringContaining('changed') });
    expect(await fixture.keptCount()).toBe(0);
  });

  test('reports a failing store as UPLOAD_FAILED without its internal message', async () => {
    const fixture = await engine.open({
      before: (store) => ({
        ...store,
        put: () => Promise.reject(Object.assign(new Error('ENOSPC: /secret/place'), { code: 'ENOSPC' })),
      }),
    });
    const answer = await fixture.as(engine.newTenant()).upload('a.txt', 'a');
    expect(answer.error).toMatchObject({ code: 'UPLOAD_FAILED', message: expect.stringContaining('ENOSPC') });
    expect(JSON.stringify([answer, fixture.log.lines])).not.toContain('/secret/place');
  });

  test('accepts exactly ten files per minute from one user', async () => {
    const fixture = await engine.open({ isLimited: true });
    const { upload } = fixture.as(engine.newTenant());
    for (let i = 0; i < 10; i += 1) expect((await upload('a.txt', 'a')).error).toBeUndefined();
    const late = await upload('a.txt', 'a');
    expect(late.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      details: { retry_after_seconds: expect.any(Number) },
    });
    engine.clock.advance(60_000);
    expect((await upload('a.txt', 'a')).error).toBeUndefined();
  });
});

test('detects a file that is overwritten in place with the same size', async () => {
  const stat = { size: 3n, mtimeNs: 1n };
  let isRead = false;
  const handle = {
    async read(buffer: Buffer) {
      if (isRead) return { bytesRead: 0 };
      isRead = true;
      return { bytesRead: buffer.write('abc') };
    },
    stat: async () => ({ size: 3n, mtimeNs: 2n }),
  };
  const opened = { handle, stat, realPath: 'x' } as never;
  const rules = streamFile(opened, new AbortController().signal);
  await expect(Array.fromAsync(rules.chunks)).rejects.toMatchObject({ code: 'UPLOAD_FAILED' });
});
