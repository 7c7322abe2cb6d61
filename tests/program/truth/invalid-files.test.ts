import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocx, buildLockedPdf, buildPdf, buildXlsx } from '#domains/truth/files/sample-files.fixture.ts';
import { makeFolder } from '#tests/support/program.ts';
import { engines, openTruth, type StoredRecord, type TruthProgram } from './truth-program.fixture.ts';

interface Uploaded {
  readonly record?: StoredRecord;
  readonly file_url: string;
  readonly file_size: number;
  readonly content_type: string;
}

/** Zeros deflate to a thousandth: small on disk, and 300 MiB when unpacked. */
function buildBomb(): Buffer {
  return buildXlsx([['a', 1]], { 'xl/worksheets/sheet2.xml': Buffer.alloc(300 * 1024 * 1024) });
}

describe.each(engines)('invalid and forbidden files, on %s', (engine) => {
  let program: TruthProgram;
  const outside = makeFolder();
  const put = (name: string, bytes: string | Buffer): string => {
    const path = join(program.files, name);
    writeFileSync(path, bytes);
    return path;
  };

  /** Number of records, entities and stored files. */
  const look = async (): Promise<readonly unknown[]> => [
    await program.call('retrieve_records', { limit: 1_000 }),
    await program.call('retrieve_entities', { limit: 1_000 }),
    countKept(),
  ];
  const countKept = (): number =>
    readdirSync(program.home, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && entry.parentPath.includes('blobs'),
    ).length;

  beforeAll(async () => {
    program = await openTruth(engine);
    await program.call('upload_file', { file_path: put('first.txt', 'a file that is there') });
    expect(countKept()).toBe(1);
  });
  afterAll(async () => {
    await program?.close();
    outside.remove();
  });

  it('get the same answer whether they are missing, outside, hidden or special', async () => {
    const { files, home } = program;
    writeFileSync(join(outside.folder, 'secret.txt'), 'secret');
    mkdirSync(join(files, 'folder'));
    symlinkSync(join(outside.folder, 'secret.txt'), join(files, 'link.txt'));
    symlinkSync(outside.folder, join(files, 'way-out'));
    symlinkSync(join(files, 'loop'), join(files, 'loop'));
    expect(spawnSync('mkfifo', [join(files, 'pipe.txt')]).status).toBe(0);
    symlinkSync('/dev/zero', join(files, 'zeros.txt'));
    const before = await look();
    const paths = [
      join(files, 'missing.txt'),
      join(files, 'missing', 'deeper.txt'),
      join(files, 'first.txt', 'below-a-file.txt'),
      join(outside.folder, 'secret.txt'),
      `${files}/../${outside.folder.split('/').at(-1)}/secret.txt`,
      join(files, 'link.txt'),
      join(files, 'way-out', 'secret.txt'),
      join(files, 'loop'),
      join(files, 'folder'),
      files,
      join(files, 'pipe.txt'),
      join(files, 'zeros.txt'),
      '/dev/zero',
      '/dev/stdin',
      '/proc/self/environ',
      join(home, 'key'),
      `${files}/${'long/'.repeat(200)}a.txt`,
    ];
    for (const file_path of paths) {
      const { code, details, message } = await program.fail('upload_file', { file_path });
      expect([file_path, code]).toEqual([file_path, 'FILE_NOT_FOUND']);
      expect(JSON.stringify([details, message])).not.toContain('secret');
    }
    for (const file_path of ['', 'a\0b', 7, null, 'x'.repeat(4_097)]) {
      expect([file_path, (await program.fail('upload_file', { file_path })).code]).toEqual([
        file_path,
        'VALIDATION_ERROR',
      ]);
    }
    expect(await look()).toEqual(before);
  });

  it('are accepted up to 52,428,800 bytes, and not with one more', async () => {
    const before = await look();
    const file_path = put('large.txt', Buffer.alloc(52_428_801, 'words of a line\n'));
    expect(await program.fail('upload_file', { file_path })).toMatchObject({
      code: 'FILE_TOO_LARGE',
      message: 'File exceeds 50MB limit',
      details: { file_size_bytes: 52_428_801, max_size_bytes: 52_428_800 },
    });
    expect(await look()).toEqual(before);
    truncateSync(file_path, 52_428_800);
    const taken = await program.call<Uploaded>('upload_file', { file_path, properties: '{"a":1}' });
    expect(taken).toMatchObject({ file_size: 52_428_800, record: { properties: { a: 1 } } });
    const { signed_url } = await program.call<{ signed_url: string }>('get_file_url', { file_path: taken.file_url });
    const answer = await fetch(signed_url);
    expect((await answer.arrayBuffer()).byteLength).toBe(52_428_800);
  });

  it('are recognised by content: the extension does not matter', async () => {
    const before = await look();
    const elf = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]);
    for (const [name, bytes] of [
      ['program.pdf', elf],
      ['program.txt', elf],
      ['notes.txt', Buffer.from('a\0b')],
      ['latin.txt', Buffer.from([0x66, 0xfc, 0x72, 0xff, 0xfe, 0x80])],
      ['script.docx', Buffer.from('PK\u0003\u0004 and nothing more')],
    ] as const) {
      expect([name, (await program.fail('upload_file', { file_path: put(name, bytes) })).code]).toEqual([
        name,
        'UNSUPPORTED_FILE_TYPE',
      ]);
    }
    expect(await look()).toEqual(before);
    const pdf = await program.call<Uploaded>('upload_file', { file_path: put('really.txt', buildPdf(['A paper'])) });
    expect(pdf.content_type).toBe('application/pdf');
    const docx = await program.call<Uploaded>('upload_file', { file_path: put('really.pdf', buildDocx(['A letter'])) });
    expect(docx.content_type).toContain('wordprocessingml');
  });

  it.each([
    ['an encrypted PDF', 'locked.pdf', buildLockedPdf],
    ['a truncated PDF', 'cut.pdf', () => buildPdf(['whole']).subarray(0, 40)],
    ['an archive that unpacks to far too much', 'bomb.xlsx', buildBomb],
  ])('that cannot be read are stored without a record: %s', async (_what, name, build) => {
    const before = await look();
    const file_path = put(name, build());
    const failure = await program.fail('upload_file', { file_path });
    expect(failure).toMatchObject({
      code: 'ANALYSIS_FAILED',
      details: { file_url: expect.stringMatching(/^fourfold:\/\/files\//) },
    });
    const [records, entities, kept] = await look();
    expect([records, entities]).toEqual(before.slice(0, 2));
    expect(kept).toBe((before[2] as number) + 1);
    const stored = { file_path: failure.details?.['file_url'] };
    expect(await program.call('get_file_url', stored)).toHaveProperty('signed_url');
    // With given properties it gets a record.
    const given = await program.call<Uploaded>('upload_file', { file_path, properties: '{"what":"said"}' });
    expect(given.record?.properties).toMatchObject({ what: 'said' });
  });

  it('leave nothing behind when the arguments are invalid', async () => {
    const before = await look();
    const file_path = put('sound.txt', 'sound words');
    for (const [code, args] of [
      ['RECORD_NOT_FOUND', { record_id: '01890000-0000-7000-8000-000000000000' }],
      ['VALIDATION_ERROR', { properties: 'no JSON' }],
      ['VALIDATION_ERROR', { properties: '[1]' }],
      ['VALIDATION_ERROR', { properties: '{"a":1e999}' }],
      ['VALIDATION_ERROR', { bucket: '../up' }],
      ['VALIDATION_ERROR', { bucket: '' }],
    ] as const) {
      expect([args, (await program.fail('upload_file', { file_path, ...args })).code]).toEqual([args, code]);
    }
    expect(await look()).toEqual(before);
  });
});
