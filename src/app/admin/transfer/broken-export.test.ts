import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localTenant } from '#kernel/call.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { TestStore } from '#tests/contract/storage/engine.ts';
import { createSqliteTestStore } from '#tests/contract/storage/sqlite-engine.ts';
import { changesOf, clock, exporting, fill, importing } from './export.fixture.ts';
import type { ImportMode } from './import-tenant.ts';

describe('rejects a broken export without changing anything', () => {
  let place: TestStore;
  let storage: Storage;
  let lines: readonly string[];
  let folder: string;

  beforeAll(async () => {
    place = await createSqliteTestStore();
    storage = await place.open({ clock });
    folder = mkdtempSync(join(tmpdir(), 'ff-export-'));
    const source = await createSqliteTestStore();
    const sourceStorage = await source.open({ clock });
    await fill(sourceStorage, localTenant, 1_200);
    await exporting(sourceStorage, join(folder, 'good'));
    await sourceStorage.close();
    await source.remove();
    lines = readFileSync(join(folder, 'good'), 'utf8').trimEnd().split('\n');
  });
  afterAll(async () => {
    await storage.close();
    await place.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Adds a valid trailer, so that the line is rejected and not the hash. */
  const sealed = (body: readonly string[], counts?: Record<string, number>): string => {
    const text = body.map((line) => `${line}\n`).join('');
    const rows = body.slice(1).filter((line) => line.includes('"t":"items"')).length;
    const sha256 = createHash('sha256').update(text).digest('hex');
    return `${text}${JSON.stringify({ end: true, counts: counts ?? { ...goodCounts(), items: rows }, sha256 })}\n`;
  };
  const goodCounts = (): Record<string, number> => JSON.parse(lines.at(-1)!).counts;
  const body = (): string[] => [...lines.slice(0, -1)];
  const header = (): Record<string, unknown> => JSON.parse(lines[0]!);
  const withHeader = (more: Record<string, unknown>): string =>
    sealed([JSON.stringify({ ...header(), ...more }), ...body().slice(1)]);
  const withLast = (line: string): string => sealed([...body().slice(0, -1), line]);
  const lastRow = (): Record<string, unknown> => JSON.parse(lines.at(-2)!).r;
  const withLastRow = (more: Record<string, unknown>): string =>
    withLast(JSON.stringify({ t: 'items', r: { ...lastRow(), ...more } }));
  const tablesWith = (more: object) =>
    (header()['tables'] as { name: string }[]).map((table) => (table.name === 'items' ? { ...table, ...more } : table));

  const refuse = async (text: string | Buffer, why: string, code = 'IMPORT_INVALID', mode: ImportMode = 'fail') => {
    writeFileSync(join(folder, 'bad'), text);
    const error = await importing(storage, join(folder, 'bad'), mode).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ code, message: expect.stringContaining(why) });
    const check = join(folder, 'check');
    const { rows } = await exporting(storage, check);
    rmSync(check);
    expect(rows).toBe(0);
    expect(await changesOf(storage, localTenant)).toEqual([]);
  };

  test('negative control: accepts an unchanged body with the trailer of these tests', async () => {
    writeFileSync(join(folder, 'resealed'), sealed(body()));
    expect(readFileSync(join(folder, 'resealed'), 'utf8')).toBe(readFileSync(join(folder, 'good'), 'utf8'));
  });

  test('an empty or truncated file, and lines after the trailer', async () => {
    const text = readFileSync(join(folder, 'good'), 'utf8');
    await refuse('', 'empty');
    for (const part of [0.1, 0.5, 0.9]) await refuse(text.slice(0, Math.floor(text.length * part)), 'truncated');
    await refuse(text.slice(0, -1), 'truncated');
    await refuse(
      body()
        .map((line) => `${line}\n`)
        .join(''),
      'no trailer',
    );
    await refuse(`${text}{"t":"items","r":{}}\n`, 'follows the trailer');
    await refuse(`${text}\n`, 'follows the trailer');
  });

  test('a changed byte, and a line that is missing, doubled or swapped', async () => {
    const text = readFileSync(join(folder, 'good'), 'utf8');
    await refuse(text.replace('"document":"text 1 plain"', '"document":"text 1 plane"'), 'SHA-256');
    await refuse([...body().filter((_, i) => i !== 600), lines.at(-1), ''].join('\n'), 'SHA-256');
    await refuse(
      sealed(
        body().filter((_, i) => i !== 600),
        { trash: 0, counters: 0, items: 1_200 },
      ),
      'row counts',
    );
    await refuse(sealed([...body(), body().at(-1)!]), 'twice');
    await refuse(sealed(body().with(600, body()[601]!).with(601, body()[600]!)), 'key order');
  });

  test('lines that are not rows', async () => {
    await refuse(withLast('{"t":"items","r":'), 'not JSON');
    await refuse(withLast('[]'), 'not a JSON object');
    await refuse(withLast('null'), 'not a JSON object');
    await refuse(withLast('{"t":"items"}'), 'its row is not an object');
    await refuse(withLast('{"t":"items","r":{},"x":1}'), 'unknown members');
    await refuse(withLast('{"r":{}}'), 'does not name its table');
    await refuse(withLast('{"t":"changes","r":{}}'), 'does not name its table');
    await refuse(withLast(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'nested too deep');
    await refuse(Buffer.concat([Buffer.from(withLast('{}').slice(0, 2_000)), Buffer.from([0xff, 0x0a])]), 'not UTF-8');
  });

  test('values of the wrong type, and too many or too few columns', async () => {
    await refuse(withLastRow({ id: null }), 'items.id must be text');
    await refuse(withLastRow({ document: 5 }), 'items.document must be text or null');
    await refuse(withLastRow({ document: 'a\0b' }), 'items.document must be text');
    await refuse(withLastRow({ document: '\ud800' }), 'items.document must be text');
    await refuse(withLastRow({ n: '5' }), 'items.n must be integer');
    await refuse(withLastRow({ n: 1.5 }), 'items.n must be integer');
    await refuse(withLastRow({ n: 2 ** 53 }), 'items.n must be integer');
    await refuse(withLastRow({ score: true }), 'items.score must be real');
    await refuse(withLastRow({ bytes: 'AAAA' }), 'items.bytes must be blob');
    await refuse(withLastRow({ bytes: { $b64: 'not base64!' } }), 'items.bytes must be blob');
    await refuse(withLastRow({ bytes: { $b64: 'AAAA', more: 1 } }), 'items.bytes must be blob');
    await refuse(withLastRow({ tenant: 'someone else' }), 'no column tenant');
    await refuse(
      withLast(`{"t":"items","r":{"__proto__":{"n":1},${JSON.stringify(lastRow()).slice(1)}}`),
      'no column __proto__',
    );
    const { n: _n, ...less } = lastRow();
    await refuse(withLast(JSON.stringify({ t: 'items', r: less })), 'the column n of items is missing');
  });

  test('headers of other formats, versions, schemas and tables', async () => {
    await refuse('{"hello":"world"}\n', 'not a fourfold export');
    await refuse(withHeader({ version: 2 }), 'import it with a newer version');
    await refuse(withHeader({ tenant: '' }), 'damaged at tenant');
    await refuse(withHeader({ more: 1 }), 'damaged');
    await refuse(withHeader({ schema: 9_001 }), 'newer version', 'STORE_NEWER');
    await refuse(withHeader({ schema: 8_999 }), 'no version of this program had the schema 8999');
    await refuse(withHeader({ tables: [{ name: 'api_keys', columns: ['id'] }] }), 'api_keys cannot be imported');
    await refuse(
      withHeader({ tables: [...(header()['tables'] as []), { name: 'items', columns: [] }] }),
      'named twice',
    );
    await refuse(withHeader({ tables: tablesWith({ columns: ['id', 'colour'] }) }), 'items has no column colour');
    await refuse(withHeader({ tables: tablesWith({ columns: ['id', 'id'] }) }), 'named twice');
    await refuse(withHeader({ tables: tablesWith({ columns: ['document'] }) }), 'items lacks the column id');
  });

  test('reports a missing file as a fault', async () => {
    await expect(importing(storage, join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'FILES_UNAVAILABLE' });
    expect(existsSync(join(folder, 'nowhere'))).toBe(false);
  });
});
