import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ExtractInput, extractTask } from '#domains/truth/files/extract/extract-task.ts';
import {
  buildDoublingPdf,
  buildPdfOf,
  buildXlsx,
  onePage,
  printPdfStream,
} from '#domains/truth/files/sample-files.fixture.ts';
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

async function extract(name: string, bytes: string | Buffer, kind: ExtractInput['kind'], cpuMs?: number) {
  const path = join(folder, name);
  await writeFile(path, bytes);
  // Generous, because the machine may be busy.
  const limits = { tenant, wallMs: 600_000, ...(cpuMs === undefined ? {} : { cpuMs }) };
  return workers.run(extractTask, { path, kind, fileName: name }, limits);
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

test('ends the process of a file that takes too much CPU time without failing the next file', async () => {
  const error = await extract('forms.pdf', buildDoublingPdf(30), 'pdf', 4_000).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'JOB_TIMEOUT', message: expect.stringContaining('4000 ms of CPU time') });
  expect(await extract('fine.txt', 'fine', 'text')).toMatchObject({ ok: true });
});

test('ends the process of a file that takes too much memory without failing the next file', async () => {
  const stream = deflateSync(Buffer.alloc(300 * 1024 * 1024, ' ')).toString('latin1');
  const bomb = buildPdfOf([...onePage, printPdfStream(stream, '/Filter /FlateDecode')]);
  expect(bomb.length).toBeLessThan(400_000);
  await expect(extract('large.pdf', bomb, 'pdf')).rejects.toMatchObject({ code: 'JOB_MEMORY' });
  expect(await extract('fine.txt', 'fine', 'text')).toMatchObject({ ok: true });
});
