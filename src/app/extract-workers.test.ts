import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExtractInput, extractTask } from '#domains/truth/files/extract/extract-task.ts';
import { buildXlsx } from '#domains/truth/files/sample-files.fixture.ts';
import { toTenantId } from '#kernel/call.ts';
import type { Workers } from '#kernel/workers/workers.ts';
import { createExtractWorkers } from './extract-workers.ts';

let folder: string;
let workers: Workers;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'extract-'));
  workers = createExtractWorkers();
});
afterAll(async () => {
  await workers.close();
  await rm(folder, { recursive: true, force: true });
});

const tenant = toTenantId('t');

async function extract(name: string, bytes: string | Buffer, kind: ExtractInput['kind'], wallMs?: number) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return workers.run(
    extractTask,
    { path, kind, fileName: name },
    { tenant, ...(wallMs === undefined ? {} : { wallMs }) },
  );
}

test('reads and analyses a file in a separate process', async () => {
  const result = await extract('plan.md', '# A plan\n\n- [ ] go', 'markdown');
  expect(result).toMatchObject({ ok: true, analysis: { kind: 'document', title: 'A plan' } });
});

test('reports an unreadable file as a result, and the process keeps running', async () => {
  expect(await extract('broken.pdf', '%PDF-1.7 broken', 'pdf')).toMatchObject({ ok: false, reason: 'damaged' });
  expect(await extract('fine.txt', 'fine', 'text')).toMatchObject({ ok: true });
});

test('rejects a workbook that unpacks to too much, and the process keeps running', async () => {
  const bomb = buildXlsx([['x']], { 'xl/sharedStrings.xml': Buffer.alloc(200 * 1024 * 1024, ' ') });
  expect(await extract('bomb.xlsx', bomb, 'xlsx')).toMatchObject({ ok: false, reason: 'too_large' });
  expect(await extract('fine.txt', 'fine', 'text')).toMatchObject({ ok: true });
});

test('ends the process of a file that takes too long without failing the next file', async () => {
  const rows = Array.from({ length: 60_000 }, (_, i) => [`row ${i}`, i, i, i]);
  await extract('first.xlsx', buildXlsx([['x']]), 'xlsx');
  await expect(extract('long.xlsx', buildXlsx(rows), 'xlsx', 1)).rejects.toMatchObject({ code: 'JOB_TIMEOUT' });
  expect(await extract('fine.txt', 'fine', 'text')).toMatchObject({ ok: true });
});
