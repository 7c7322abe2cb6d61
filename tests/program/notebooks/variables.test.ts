import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { settingsTable } from '#config/settings.ts';
import { makeFolder, runProgram, startProgram } from '#tests/support/program.ts';
import { md, openNotebooks, quietEnv } from './notebook-program.ts';

/** R5. The other variables have tests in limits, search, bombs or http. */
const names = [
  'STORAGE_DIR',
  'MAX_SCRATCHPADS',
  'MAX_CELLS_PER_PAD',
  'MAX_CELL_BYTES',
  'EVICTION_POLICY',
  'PREEMPT_AGE',
  'PREEMPT_INTERVAL',
  'VALIDATION_TIMEOUT',
  'SHUTDOWN_TIMEOUT',
  'ENABLE_SEMANTIC_SEARCH',
  'EMBEDDING_MODEL',
  'EMBEDDING_BATCH_SIZE',
  'HTTP_HOST',
  'HTTP_PORT',
  'METRICS_PATH',
  'ENABLE_METRICS',
  'ENABLE_AUTH',
  'AUTH_BEARER_TOKEN',
  'AUTH_TOKEN_FILE',
  'CONFIG_FILE',
].map((name) => `SCRATCH_NOTEBOOK_${name}`);

describe('variables of the original', () => {
  it('are all known, and no others', () => {
    const known = Object.values(settingsTable).flatMap((setting) => ('env' in setting ? [...setting.env] : []));
    const ours = known.filter((name: string) => name.startsWith('SCRATCH_NOTEBOOK_'));
    expect(ours.toSorted()).toEqual(names.toSorted());
  });

  it('STORAGE_DIR sets the data folder', async () => {
    const { folder, remove } = makeFolder();
    const home = join(folder, 'elsewhere');
    const program = await openNotebooks({ FOURFOLD_HOME: '', SCRATCH_NOTEBOOK_STORAGE_DIR: home });
    await program.call('scratch_create', { scratch_id: 'kept' });
    await program.close();
    expect(existsSync(join(home, 'fourfold.db'))).toBe(true);
    const again = await openNotebooks({ FOURFOLD_HOME: home });
    expect((await again.read('kept')).scratch_id).toBe('kept');
    await again.close();
    remove();
  });

  it('CONFIG_FILE is read, and a variable takes precedence', async () => {
    const { folder, remove } = makeFolder();
    const file = join(folder, 'settings.json');
    writeFileSync(file, JSON.stringify({ maxCellsPerPad: 1, maxCellBytes: 3 }));
    const program = await openNotebooks({
      SCRATCH_NOTEBOOK_CONFIG_FILE: file,
      SCRATCH_NOTEBOOK_MAX_CELL_BYTES: '5',
    });
    const create = { scratch_id: 'p', cells: [md('12345'), md('x')] };
    expect(await program.fail('scratch_create', create)).toMatchObject({ details: { limit: 1 } });
    await program.call('scratch_create', { ...create, cells: [md('12345')] });
    await program.close();
    remove();
  });

  it('HTTP_PORT sets the port', async () => {
    const probe = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => probe.once('listening', resolve));
    const { port } = probe.address() as AddressInfo;
    await new Promise((resolve) => probe.close(resolve));
    const { folder, remove } = makeFolder();
    const child = startProgram(['serve'], {
      ...quietEnv,
      FOURFOLD_HOME: folder,
      SCRATCH_NOTEBOOK_HTTP_PORT: `${port}`,
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const url = await new Promise<string>((resolve) => {
      let said = '';
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        const found = /http:\/\/[^\s/]+/.exec(said)?.[0];
        if (found !== undefined && said.includes('Connect a client')) resolve(found);
      });
    });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    child.kill('SIGTERM');
    await ended;
    remove();
  });

  it('EMBEDDING_MODEL and EMBEDDING_BATCH_SIZE reach the embedding service', async () => {
    const asked: { readonly model: string; readonly input: readonly string[] }[] = [];
    const service = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      req.on('end', () => {
        const question = JSON.parse(body) as { model: string; input: readonly string[] };
        asked.push(question);
        const data = question.input.map((text, index) => ({ index, embedding: [text.length, 1, 0, 0] }));
        res.setHeader('content-type', 'application/json');
        res.end(JSON.stringify({ data, model: question.model }));
      });
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => service.once('listening', resolve));
    const { port } = service.address() as AddressInfo;
    const program = await openNotebooks({
      FOURFOLD_EMBEDDING_URL: `http://127.0.0.1:${port}/v1`,
      SCRATCH_NOTEBOOK_EMBEDDING_MODEL: 'model-of-the-service',
      SCRATCH_NOTEBOOK_EMBEDDING_BATCH_SIZE: '3',
    });
    const cells = Array.from({ length: 8 }, (_, n) => md(`Number ${n}`));
    await program.call('scratch_create', { scratch_id: 'p', cells });
    const embedded = (): number => new Set(asked.flatMap(({ input }) => input)).size;
    await expect.poll(embedded, { timeout: 120_000, interval: 50 }).toBeGreaterThanOrEqual(8);
    expect(new Set(asked.map(({ model }) => model))).toEqual(new Set(['model-of-the-service']));
    expect(Math.max(...asked.map(({ input }) => input.length))).toBe(3);
    const found = await program.call('scratch_search', { query: 'number' });
    expect(found).toMatchObject({ mode: 'hybrid', embedder: expect.stringContaining('model-of-the-service') });
    await program.close();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  });

  it.each([
    ['MAX_SCRATCHPADS', '-1'],
    ['MAX_CELLS_PER_PAD', 'many'],
    ['MAX_CELL_BYTES', '-5'],
    ['EVICTION_POLICY', 'sometimes'],
    ['PREEMPT_AGE', 'soon'],
    ['PREEMPT_INTERVAL', '0'],
    ['VALIDATION_TIMEOUT', '0'],
    ['EMBEDDING_BATCH_SIZE', '0'],
    ['METRICS_PATH', 'metrics'],
    ['ENABLE_SEMANTIC_SEARCH', 'perhaps'],
  ])('rejects %s=%s and names the variable', async (name, value) => {
    const { folder, remove } = makeFolder();
    const variable = `SCRATCH_NOTEBOOK_${name}`;
    const { code, stderr } = await runProgram([], { ...quietEnv, FOURFOLD_HOME: folder, [variable]: value });
    expect(code).not.toBe(0);
    expect(stderr).toContain(variable);
    remove();
  });
});
