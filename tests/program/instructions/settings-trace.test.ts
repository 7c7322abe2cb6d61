import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '#tests/support/program.ts';
import { mutationOn, openCatalog } from './catalog-program.fixture.ts';
import { entryFiles, entryInput } from './entries.fixture.ts';
import { kindsOf, parseTrace, readTraces } from './trace-lines.fixture.ts';

async function openTraced(env: Readonly<Record<string, string>>, files = entryFiles) {
  const { folder, remove } = makeFolder();
  const traces = join(folder, 'traces');
  const program = await openCatalog({ ...mutationOn, MCP_TRACE_DIR: traces, ...env }, files);
  onTestFinished(async () => {
    await program.close();
    remove();
  });
  const ask = (action: string, args: Readonly<Record<string, unknown>> = {}) =>
    program.value('plain method', `instructions/${action}`, args);
  return { program, traces, ask };
}

describe('MCP_TRACE_*', () => {
  it('MCP_TRACE_DIR receives lines for reads and writes, and stderr none', async () => {
    const { program, traces, ask } = await openTraced({});
    await ask('list');
    await ask('get', { id: 'alpha' });
    await ask('add', { entry: entryInput('delta') });
    expect(kindsOf(readTraces(traces))).toEqual(['get', 'list', 'mutation:add']);
    expect(program.said()).not.toContain('[trace:');
  });

  it('traces nothing by default', async () => {
    const { program, traces, ask } = await openTraced({ MCP_TRACE_DIR: '' });
    await ask('list');
    expect([...readTraces(traces), ...readTraces(join(program.home, 'traces'))]).toEqual([]);
  });

  it.each([
    ['MCP_TRACE_FILTER', 'get'],
    ['MCP_TRACE_SESSION', 'mine'],
    ['MCP_CATALOG_DIAG', '1'],
    ['MCP_CATALOG_FILE_TRACE', '1'],
  ])('%s alone switches tracing on, in the data folder', async (variable, value) => {
    const { program, ask } = await openTraced({ MCP_TRACE_DIR: '', [variable]: value });
    await ask('get', { id: 'alpha' });
    expect(kindsOf(readTraces(join(program.home, 'traces')))).toContain('get');
  });

  it('MCP_TRACE_FILTER selects categories and sub-categories', async () => {
    const { traces, ask } = await openTraced({ MCP_TRACE_FILTER: 'get, mutation:remove' });
    await ask('list');
    await ask('get', { id: 'alpha' });
    await ask('add', { entry: entryInput('delta') });
    await ask('remove', { ids: ['delta'] });
    expect(kindsOf(readTraces(traces))).toEqual(['get', 'mutation:remove']);
  });

  it('MCP_TRACE_FILTER_DENY excludes them even if the filter selects them', async () => {
    const { traces, ask } = await openTraced({ MCP_TRACE_FILTER: 'get,list', MCP_TRACE_FILTER_DENY: 'list' });
    await ask('list');
    await ask('get', { id: 'alpha' });
    expect(kindsOf(readTraces(traces))).toEqual(['get']);
  });

  it('MCP_TRACE_SESSION names the files and marks every line', async () => {
    const { traces, ask } = await openTraced({ MCP_TRACE_SESSION: 'session-7' });
    await ask('list');
    expect(readdirSync(traces)).toEqual([expect.stringMatching(/^trace-session-7-\d+\.0001\.jsonl$/)]);
    expect(readTraces(traces).map(({ fields }) => fields['session'])).toEqual(['session-7']);
  });

  it('MCP_TRACE_MAX_BYTES limits each file without losing a line', async () => {
    const { traces, ask } = await openTraced({ MCP_TRACE_MAX_BYTES: '1024' });
    for (let i = 0; i < 30; i += 1) await ask('get', { id: 'alpha' });
    const names = readdirSync(traces);
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect(statSync(join(traces, name)).size).toBeLessThanOrEqual(1_024);
    expect(readTraces(traces).map(({ fields }) => fields['n'])).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
  });
});

describe('the trace line of list', () => {
  const none = { repairedVisibility: false, lateMaterialized: false, attemptedReload: false, attemptedLate: false };

  it.each([
    ['is in the catalog', 'alpha', { ...none, expectOnDisk: true, expectInCatalog: true }],
    ['does not exist', 'nowhere', { ...none, attemptedLate: true, expectOnDisk: false, expectInCatalog: false }],
    [
      'has a file that cannot be served',
      'broken',
      { ...none, attemptedLate: true, attemptedReload: true, expectOnDisk: true, expectInCatalog: false },
    ],
  ])('describes an expected entry that %s', async (_what, expectId, flags) => {
    const { traces, ask } = await openTraced({ MCP_READ_RETRIES: '0' }, { ...entryFiles, 'broken.json': '{"id":"bro' });
    await ask('list');
    await ask('list', { expectId });
    expect(readTraces(traces).at(-1)).toMatchObject({ kind: 'list', fields: { expectId, ...flags } });
  });

  it('reports a repaired entry whose file was added a moment ago', async () => {
    const { program, traces, ask } = await openTraced({});
    await ask('list');
    // A background sweep may find the file first: one of several is enough.
    for (const id of ['late-1', 'late-2', 'late-3', 'late-4', 'late-5']) {
      program.writeFile(`${id}.json`, entryInput(id));
      await ask('list', { expectId: id });
    }
    const lines = readTraces(traces).map(({ fields }) => fields);
    expect(lines).toContainEqual(
      expect.objectContaining({
        expectId: expect.stringMatching(/^late-/) as string,
        repairedVisibility: true,
        lateMaterialized: true,
        attemptedLate: true,
        attemptedReload: false,
        expectOnDisk: true,
        expectInCatalog: true,
      }),
    );
  });

  it('counts a lookup of a file that is not served', async () => {
    const { program, ask } = await openTraced(
      { MCP_READ_RETRIES: '0' },
      { ...entryFiles, 'broken.json': '{"id":"bro' },
    );
    await ask('list', { expectId: 'broken' });
    const status = await program.value<{ counters: object }>('plain method', 'feature/status');
    expect(status.counters).toMatchObject({ lateMaterializeRejected: 1 });
  });
});

describe('catalog diagnostics', () => {
  const files = { ...entryFiles, 'broken.json': '{"id":"bro' };

  it('MCP_CATALOG_DIAG traces loads, rejections, changes and commits, also on stderr', async () => {
    const { program, traces, ask } = await openTraced({ MCP_CATALOG_DIAG: '1' }, files);
    await ask('list');
    const load = { tenant: 'local', entryCount: 3, problemCount: 1, ms: expect.any(Number) as number };
    expect(readTraces(traces)).toContainEqual({ kind: 'catalog:load', fields: expect.objectContaining(load) });
    expect(readTraces(traces)).toContainEqual({
      kind: 'catalog:reject',
      fields: expect.objectContaining({ file: 'broken.json', problem: expect.any(String) as string }),
    });
    await ask('add', { entry: entryInput('delta') });
    rmSync(join(program.entries, 'beta.json'));
    await ask('get', { id: 'beta' });
    const lines = readTraces(traces);
    expect(lines.find(({ kind }) => kind === 'catalog:commit')?.fields).toMatchObject({ ids: ['delta'] });
    expect(lines.filter(({ kind }) => kind === 'catalog:change').at(-1)?.fields).toMatchObject({
      count: 1,
      goneCount: 1,
      ids: ['beta'],
    });
    expect(kindsOf(lines)).not.toContain('file:load');
    await expect.poll(() => parseTrace(program.said()), { timeout: 120_000, interval: 20 }).toEqual(lines);
  });

  it('MCP_CATALOG_FILE_TRACE traces every file in order, and nothing else of the catalog', async () => {
    const { program, traces, ask } = await openTraced({ MCP_CATALOG_FILE_TRACE: '1' }, files);
    await ask('list');
    const lines = () =>
      readTraces(traces)
        .filter(({ kind }) => kind.startsWith('file:'))
        .map(({ kind, fields }) => `${kind} ${String(fields['file'])}`);
    expect(lines().filter((line) => line.startsWith('file:load'))).toEqual([
      'file:load alpha.json',
      'file:load beta.json',
      'file:load gamma.json',
    ]);
    expect(lines()).toContain('file:reject broken.json');
    rmSync(join(program.entries, 'beta.json'));
    await ask('get', { id: 'beta' });
    expect(lines()).toContain('file:gone beta.json');
    expect(kindsOf(readTraces(traces)).filter((kind) => kind.startsWith('catalog'))).toEqual([]);
    expect(program.said()).not.toContain('[trace:');
  });
});
