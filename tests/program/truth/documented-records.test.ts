import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  engines,
  isoTime,
  type Json,
  openTruth,
  type StoredRecord,
  type TruthProgram,
  uuid,
} from './truth-program.fixture.ts';

const invoiceText = `Invoice

Invoice number: INV-4711
Invoice date: 2024-03-05
Vendor: Paper Mill Ltd
Total amount: 1,250.00 EUR
`;

const someId = '01890000-0000-7000-8000-000000000000';

/** Every shape, example and code of the document's sections 3.2 to 3.6. */
describe.each(engines)('documented records and files on %s', (engine) => {
  let program: TruthProgram;

  beforeAll(async () => {
    program = await openTruth(engine);
  });
  afterAll(() => program.close());

  const store = (type: string, properties: Json, more: Json = {}) =>
    program.call<StoredRecord>('store_record', { type, properties, ...more });
  const retrieve = (query: Json) =>
    program.call<{ records: readonly StoredRecord[]; total: number }>('retrieve_records', query);

  describe('3.2 update_record', () => {
    it('merges properties, replaces type and files, and updates updated_at', async () => {
      const stored = await store('note', { a: 1, b: { c: 2 } }, { file_urls: ['https://example.com/a'] });
      expect(stored).toMatchObject({
        id: expect.stringMatching(uuid),
        type: 'note',
        properties: { a: 1, b: { c: 2 } },
        file_urls: ['https://example.com/a'],
        created_at: expect.stringMatching(isoTime),
        updated_at: stored.created_at,
      });
      const updated = await program.call<StoredRecord>('update_record', {
        id: stored.id,
        type: 'memo',
        properties: { b: 3, d: null },
        file_urls: [],
      });
      expect(updated).toMatchObject({
        id: stored.id,
        type: 'memo',
        properties: { a: 1, b: 3, d: null },
        file_urls: [],
        created_at: stored.created_at,
      });
      expect(Date.parse(updated.updated_at)).toBeGreaterThanOrEqual(Date.parse(stored.updated_at));
      expect((await retrieve({ type: 'memo' })).records).toEqual([updated]);
    });

    it('rejects an unknown record and invalid values', async () => {
      expect((await program.fail('update_record', { id: someId, properties: {} })).code).toBe('RECORD_NOT_FOUND');
      expect((await program.fail('update_record', { id: 'x' })).code).toBe('VALIDATION_ERROR');
      expect((await program.fail('update_record', { id: someId, properties: [] })).code).toBe('VALIDATION_ERROR');
      expect((await program.fail('store_record', { type: '', properties: {} })).code).toBe('VALIDATION_ERROR');
    });
  });

  describe('3.3 retrieve_records', () => {
    it('filters by type and properties, with the total before the limit, in a fixed order', async () => {
      for (const amount of [100, 200, 300]) await store('transaction', { amount, bank: amount > 150 ? 'B' : 'A' });
      const all = await retrieve({ type: 'transaction' });
      expect(all.total).toBe(3);
      expect((await retrieve({ type: 'transaction' })).records).toEqual(all.records);
      expect(await retrieve({ type: 'transaction', properties: { bank: 'B' } })).toMatchObject({ total: 2 });
      const page = await retrieve({ type: 'transaction', limit: 1 });
      expect([page.records.length, page.total]).toEqual([1, 3]);
      expect(await retrieve({ type: 'nothing of that kind' })).toEqual({ records: [], total: 0 });
    });

    it('finds by keyword immediately, and by an embedding with its similarity', async () => {
      const mango = await store('fruit', { text: 'mangos ripen slowly' }, { embedding: [1, 0, 0] });
      await store('fruit', { text: 'pears are picked early' }, { embedding: [0, 1, 0] });
      const words = await retrieve({ search: ['mangos'], search_mode: 'keyword' });
      expect(words.records.map(({ id }) => id)).toEqual([mango.id]);
      const near = await retrieve({ type: 'fruit', query_embedding: [1, 0, 0], search_mode: 'semantic' });
      expect(near.records).toMatchObject([{ id: mango.id, similarity: 1 }]);
    });

    it('rejects an invalid query', async () => {
      for (const query of [{ limit: 0 }, { similarity_threshold: 2 }, { search: 'words' }, { search_mode: 'magic' }]) {
        expect((await program.fail('retrieve_records', query)).code).toBe('VALIDATION_ERROR');
      }
    });
  });

  describe('3.4 delete_record', () => {
    it('takes effect immediately, can be undone, and a second one fails', async () => {
      const { id } = await store('gone', { a: 1 });
      expect(await program.call('delete_record', { id })).toMatchObject({
        success: true,
        deleted_id: id,
        restore: { tool: 'restore_record' },
      });
      expect((await retrieve({ type: 'gone' })).total).toBe(0);
      expect((await program.fail('delete_record', { id })).code).toBe('RECORD_NOT_FOUND');
      expect((await program.fail('update_record', { id, properties: {} })).code).toBe('RECORD_NOT_FOUND');
      expect(await program.call('restore_record', { id })).toMatchObject({ id, properties: { a: 1 } });
      expect((await retrieve({ type: 'gone' })).total).toBe(1);
    });
  });

  describe('3.5 upload_file and 3.6 get_file_url', () => {
    interface Uploaded {
      readonly record?: StoredRecord;
      readonly file_url: string;
      readonly file_size: number;
      readonly content_type: string;
    }
    const upload = (args: Json) => program.call<Uploaded>('upload_file', args);
    const put = (name: string, text: string): string => {
      const path = join(program.files, name);
      writeFileSync(path, text);
      return path;
    };

    it('store a file by the hash of its bytes and create a record from its content', async () => {
      const file_path = put('invoice.txt', invoiceText);
      const uploaded = await upload({ file_path });
      expect(uploaded).toMatchObject({
        file_url: expect.stringMatching(/^fourfold:\/\/files\/[0-9a-f]{64}$/),
        file_size: Buffer.byteLength(invoiceText),
        content_type: expect.stringMatching(/^text\/plain/),
        record: {
          id: expect.stringMatching(uuid),
          type: 'FinancialRecord',
          properties: { invoice_number: 'INV-4711' },
          file_urls: [uploaded.file_url],
        },
      });
      const again = await upload({ file_path: put('copy.txt', invoiceText) });
      expect(again.file_url).toBe(uploaded.file_url);
      expect((await retrieve({ type: 'FinancialRecord' })).total).toBe(1);
    });

    it('serve it under a URL that expires', async () => {
      const { file_url } = await upload({ file_path: put('served.md', '# served'), properties: '{"a":1}' });
      const signed = await program.call<{ signed_url: string; expires_at: string }>('get_file_url', {
        file_path: file_url,
        expires_in: 60,
      });
      expect(signed.expires_at).toMatch(isoTime);
      expect(Date.parse(signed.expires_at)).toBeLessThanOrEqual(Date.now() + 60_000);
      const answer = await fetch(signed.signed_url);
      expect([answer.status, await answer.text()]).toEqual([200, '# served']);
      const forged = signed.signed_url.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      expect((await fetch(forged)).status).toBe(403);
    });

    it('accept given properties, and attach a file to a record', async () => {
      const given = await upload({
        file_path: put('given.txt', 'whatever'),
        properties: '{"colour":"red"}',
        bucket: 'own',
      });
      expect(given).toMatchObject({ record: { properties: { colour: 'red' } } });
      expect(given.file_url).toMatch(/^fourfold:\/\/own\//);
      const { id } = await store('folder', { a: 1 });
      const attached = await upload({ file_path: put('attached.txt', 'attached'), record_id: id });
      expect(attached.record).toBeUndefined();
      expect((await retrieve({ type: 'folder' })).records).toMatchObject([{ id, file_urls: [attached.file_url] }]);
    });

    it('reject missing, foreign and unsupported files', async () => {
      const { files } = program;
      mkdirSync(join(files, 'folder'));
      symlinkSync('/etc/hosts', join(files, 'link'));
      const codes: readonly (readonly [string, Json])[] = [
        ['FILE_NOT_FOUND', { file_path: join(files, 'nothing.txt') }],
        ['FILE_NOT_FOUND', { file_path: '/etc/hosts' }],
        ['FILE_NOT_FOUND', { file_path: join(files, 'link') }],
        ['FILE_NOT_FOUND', { file_path: join(files, 'folder') }],
        ['UNSUPPORTED_FILE_TYPE', { file_path: put('program.exe', 'MZ\u0090\u0000\u0003') }],
        ['VALIDATION_ERROR', { file_path: put('a.txt', 'a'), properties: 'no JSON' }],
        ['RECORD_NOT_FOUND', { file_path: put('b.txt', 'b'), record_id: someId }],
      ];
      for (const [code, args] of codes) {
        expect([(await program.fail('upload_file', args)).code, args]).toEqual([code, args]);
      }
      const unknown = { file_path: `fourfold://files/${'0'.repeat(64)}` };
      expect((await program.fail('get_file_url', unknown)).code).toBe('FILE_NOT_FOUND');
    });
  });
});
