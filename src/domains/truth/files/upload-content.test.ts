import { expect, test } from 'vitest';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { truthLimits } from '../truth-limits.ts';
import { describeFiles } from './files.fixture.ts';
import { decodeContent } from './inline-content.ts';
import { buildLockedPdf, buildPdf, invoiceFields, invoiceLines } from './sample-files.fixture.ts';
import { streamContent } from './stream-file.ts';

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes as string).toString('base64');
/** As `base64 file` prints it. */
const wrapped = (text: string): string => `${text.replaceAll(/.{76}/g, '$&\n')}\n`;

describeFiles('[TR50] inline content', (engine) => {
  test('is detected, analysed and stored like a file of a path', async () => {
    const fixture = await engine.open({ noRoots: true });
    const { ask } = fixture.as(engine.newTenant());
    const bytes = buildPdf(invoiceLines);
    const answer = await ask('upload_file', { content_base64: base64(bytes), file_name: 'bill.pdf' });
    expect(answer).toMatchObject({
      record: {
        type: 'FinancialRecord',
        properties: { ...invoiceFields, document_kind: 'invoice', file_name: 'bill.pdf' },
        file_urls: [answer.file_url],
      },
      file_url: `fourfold://files/${sha256Hex(bytes)}`,
      file_size: bytes.length,
      content_type: 'application/pdf',
    });
    expect(await ask('get_file_url', { file_path: answer.file_url })).toHaveProperty('signed_url');
  });

  test('is the same file as the bytes at a path, whether its lines are wrapped or not', async () => {
    const fixture = await engine.open();
    const { ask, upload } = fixture.as(engine.newTenant());
    const bytes = buildPdf(invoiceLines);
    const first = await upload('a.pdf', bytes);
    for (const content_base64 of [base64(bytes), wrapped(base64(bytes)), `\n${base64(bytes)}\r\n`]) {
      expect(await ask('upload_file', { content_base64, file_name: 'b.pdf' })).toEqual(first);
    }
    expect(await ask('retrieve_records', {})).toMatchObject({ total: 1 });
  });

  test('takes a bucket, a record and properties, and keeps a file that cannot be analysed', async () => {
    const fixture = await engine.open();
    const { ask } = fixture.as(engine.newTenant());
    const { id } = (await ask('store_record', { type: 'letter', properties: {} })) as { id?: string };
    const note = { content_base64: base64('a note'), file_name: 'note.txt' };
    const attached = await ask('upload_file', { ...note, record_id: id, bucket: 'own' });
    expect(attached).toEqual({
      file_url: `fourfold://own/${sha256Hex('a note')}`,
      file_size: 6,
      content_type: 'text/plain',
    });
    const locked = { content_base64: base64(buildLockedPdf()), file_name: 'locked.pdf' };
    expect((await ask('upload_file', locked)).error).toMatchObject({ code: 'ANALYSIS_FAILED' });
    expect(await ask('upload_file', { ...locked, properties: '{"a":1}' })).toMatchObject({
      record: { properties: { a: 1 } },
    });
  });

  test('is refused with the reason if it is invalid, and leaves nothing behind', async () => {
    const fixture = await engine.open();
    const { ask } = fixture.as(engine.newTenant());
    const file_name = 'a.txt';
    const content_base64 = base64('some words');
    for (const [field, reason, args] of [
      ['file_path', 'give file_path, or content_base64', {}],
      ['file_path', 'give file_path, or content_base64', { file_name }],
      ['content_base64', 'not both', { file_path: 'a.txt', content_base64, file_name }],
      ['file_name', 'keeps its own name', { file_path: 'a.txt', file_name }],
      ['file_name', 'needs file_name', { content_base64 }],
      ['file_name', 'without folders', { content_base64, file_name: '../a.txt' }],
      ['file_name', 'without folders', { content_base64, file_name: 'C:\\a.txt' }],
      ['file_name', 'without folders', { content_base64, file_name: 'a\nb' }],
      ['file_name', 'without folders', { content_base64, file_name: '..' }],
      ['content_base64', 'position 4 ', { content_base64: 'AAAA!AAA', file_name }],
      ['content_base64', 'data: prefix', { content_base64: 'data:text/plain;base64,AAAA', file_name }],
      ['content_base64', 'cut off', { content_base64: content_base64.slice(0, -3), file_name }],
      ['content_base64', 'padding', { content_base64: 'QQ==QQ==', file_name }],
      ['content_base64', 'padding', { content_base64: 'QR==', file_name }],
      ['content_base64', 'position 2 ', { content_base64: 'AA_-', file_name }],
    ] as const) {
      expect((await ask('upload_file', args)).error, JSON.stringify(args)).toMatchObject({
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining(reason),
        details: { field },
      });
    }
    const empty = await ask('upload_file', { content_base64: '', file_name });
    expect(empty.error?.code).toBe('VALIDATION_ERROR');
    const program = { content_base64: base64(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0])), file_name: 'a.pdf' };
    expect((await ask('upload_file', program)).error?.code).toBe('UNSUPPORTED_FILE_TYPE');
    expect(await fixture.keptCount()).toBe(0);
    expect(await ask('retrieve_records', {})).toMatchObject({ total: 0 });
  });
});

describeFiles('[TR51] properties for known bytes', (engine) => {
  test('change the record and say so, and only then', async () => {
    const fixture = await engine.open();
    const { ask, upload } = fixture.as(engine.newTenant());
    const bytes = buildPdf(invoiceLines);
    const first = await upload('a.pdf', bytes);
    expect(first).not.toHaveProperty('updated');
    expect(await upload('a.pdf', bytes)).toEqual(first);
    engine.clock.advance(1_000);
    const changed = await upload('b.pdf', bytes, { properties: '{"status":"paid","currency":"CHF"}' });
    expect(changed).toMatchObject({
      updated: true,
      file_url: first.file_url,
      record: {
        id: first.record!.id,
        type: 'FinancialRecord',
        properties: { ...first.record!.properties, status: 'paid', currency: 'CHF' },
      },
    });
    const found = await ask('retrieve_records', { properties: { status: 'paid' } });
    expect(found).toMatchObject({ total: 1, records: [{ id: first.record!.id }] });
    expect(await upload('c.pdf', bytes, { properties: '{"currency":"CHF","status":"paid"}' })).toEqual({
      ...changed,
      updated: false,
    });
    expect(await upload('c.pdf', bytes)).toMatchObject({ record: { properties: { status: 'paid' } } });
    expect(await ask('retrieve_records', {})).toMatchObject({ total: 1 });
  });

  test('change nothing if they are too large for the record', async () => {
    const fixture = await engine.open();
    const { upload } = fixture.as(engine.newTenant());
    const half = (name: string) => JSON.stringify({ [name]: 'x'.repeat(truthLimits.propertiesBytes / 2) });
    const first = await upload('a.txt', 'words', { properties: half('a') });
    expect((await upload('a.txt', 'words', { properties: half('b') })).error?.code).toBe('VALIDATION_ERROR');
    expect(await upload('a.txt', 'words')).toEqual(first);
  });
});

const { signal } = new AbortController();

test('decodes content of several slices, also with line breaks at any position', async () => {
  const bytes = Buffer.alloc(2 * truthLimits.contentSliceChars + 1, 'bytes of a file');
  for (const text of [base64(bytes), wrapped(base64(bytes)), `${base64(bytes)}\n`]) {
    const chunks = await Array.fromAsync(decodeContent(text, signal));
    expect(chunks.length).toBeGreaterThan(2);
    expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
  }
});

test('finds invalid content in a later slice, and names its position', async () => {
  const { contentSliceChars } = truthLimits;
  const invalidAt = contentSliceChars + 5;
  const text = `${'A'.repeat(invalidAt)}!${'A'.repeat(contentSliceChars)}`;
  await expect(Array.fromAsync(decodeContent(text, signal))).rejects.toThrow(`position ${invalidAt} `);
  // Padding at the end of a slice that is not the last one.
  const joined = `${'A'.repeat(contentSliceChars - 4)}QQ==AAAA`;
  await expect(Array.fromAsync(decodeContent(joined, signal))).rejects.toThrow('padding');
});

test('refuses content over 50 MB before it decodes it', () => {
  const text = 'A'.repeat((truthLimits.fileBytes / 3) * 4 + 8);
  expect(() => streamContent(text, signal)).toThrow('50MB');
});
