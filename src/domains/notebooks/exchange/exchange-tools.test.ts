import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { silentLog } from '#kernel/log/log.ts';
import { sql } from '#kernel/storage/sql.ts';
import { openSqlite } from '#kernel/storage/sqlite/open.ts';
import { migrations } from '#migrations/all.ts';
import { createPadsFixture } from '../pads/pads.fixture.ts';

async function open() {
  const folder = await mkdtemp(join(tmpdir(), 'ff-exchange-'));
  const clock = createManualClock();
  const file = join(folder, 'store.db');
  const storage = openSqlite({ file, migrations, clock, log: silentLog, auditKey: Buffer.alloc(32) });
  const notebooks = createPadsFixture({ storage, clock });
  onTestFinished(async () => {
    await notebooks.close();
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });
  /** As the command line calls them, for a tenant. */
  const runAs = (tenant: string) => {
    const { ask } = notebooks.as(toTenantId(tenant));
    return (name: string, args: object = {}) => ask<Record<string, never>>(name, args, { surface: 'cli' });
  };
  return { run: runAs(localTenant), runAs, folder, storage, notebooks };
}

test('exports scratchpads to a folder and imports them again', async () => {
  const { run, folder } = await open();
  await run('scratch_create', { scratch_id: 'plan', metadata: { namespace: 'work' } });
  await run('scratch_create', { scratch_id: 'other' });
  const to = join(folder, 'out');
  expect(await run('notebooks_export', { to, format: 'ipynb' })).toMatchObject({ exported: 2 });
  expect(await readdir(to)).toEqual(['other.ipynb', 'plan.ipynb']);
  await run('scratch_delete', { scratch_id: 'plan' });
  expect(await run('notebooks_import', { paths: [to] })).toMatchObject({ imported: 1, kept: 1 });
  expect(await run('scratch_list', { namespaces: ['work'] })).toMatchObject({ scratchpads: [{ scratch_id: 'plan' }] });
});

test('repairs wrong counts and reports them', async () => {
  const { run, storage, notebooks } = await open();
  await run('scratch_create', { scratch_id: 'plan' });
  await storage.write(notebooks.as(localTenant).call('test', { audit: 'none' }), (db) =>
    db.run(sql`update notebook_totals set pads_count = 7 where tenant = ${db.tenant}`),
  );
  expect(await run('notebooks_recount')).toMatchObject({ wrong: { totals: 1 } });
  expect(await run('notebooks_recount')).toMatchObject({ wrong: { totals: 0 } });
});

test('lists deleted scratchpads and restores any copy, under its own or another id', async () => {
  const { run } = await open();
  for (const title of ['first', 'second']) {
    await run('scratch_create', { scratch_id: 'plan', metadata: { title } });
    await run('scratch_delete', { scratch_id: 'plan' });
  }
  const trashed = (await run('scratch_trash'))['scratchpads'] as unknown as { title: string; pad_key: string }[];
  expect(new Set(trashed.map(({ title }) => title))).toEqual(new Set(['first', 'second']));
  const copy = trashed.find(({ title }) => title === 'first')?.pad_key;
  await run('scratch_restore', { scratch_id: 'plan', as: 'older', copy });
  await run('scratch_restore', { scratch_id: 'plan' });
  expect(await run('scratch_read', { scratch_id: 'older' })).toMatchObject({ scratchpad: { title: 'first' } });
  expect(await run('scratch_read', { scratch_id: 'plan' })).toMatchObject({ scratchpad: { title: 'second' } });
  expect(await run('scratch_trash')).toEqual({ ok: true, scratchpads: [] });
});

test('refuses to restore a missing scratchpad, a bad id, or over an existing one', async () => {
  const { run } = await open();
  const restore = (scratch_id: string, as?: string) =>
    run('scratch_restore', { scratch_id, ...(as === undefined ? {} : { as }) });
  expect(await restore('missing')).toMatchObject({ error: { code: 'NOT_FOUND' } });
  await run('scratch_create', { scratch_id: 'plan' });
  await run('scratch_delete', { scratch_id: 'plan' });
  expect(await restore('plan', '../up')).toMatchObject({ error: { code: 'INVALID_ID' } });
  expect(await restore('plan', 'schemas')).toMatchObject({ error: { code: 'INVALID_ID' } });
  await run('scratch_create', { scratch_id: 'plan' });
  expect(await restore('plan')).toMatchObject({ error: { code: 'CONFLICT' } });
  expect(await run('scratch_trash', { limit: 0 })).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
});

test('works on the scratchpads of the tenant that calls it', async () => {
  const { run, runAs, folder } = await open();
  const acme = runAs('acme');
  await acme('scratch_create', { scratch_id: 'theirs' });
  await run('scratch_create', { scratch_id: 'mine' });
  const to = join(folder, 'out');
  expect(await acme('notebooks_export', { to })).toMatchObject({ files: ['theirs.md'] });
  expect(await runAs('third')('notebooks_import', { paths: [to] })).toMatchObject({ imported: 1 });
  await acme('scratch_delete', { scratch_id: 'theirs' });
  expect(await run('scratch_trash')).toEqual({ ok: true, scratchpads: [] });
  expect((await acme('scratch_trash'))['scratchpads']).toHaveLength(1);
  await acme('scratch_restore', { scratch_id: 'theirs' });
  expect(await acme('scratch_read', { scratch_id: 'theirs' })).toMatchObject({ ok: true });
});

test('is unknown to every surface but the command line', async () => {
  const { notebooks, folder } = await open();
  const { ask } = notebooks.as(localTenant);
  for (const surface of ['mcp', 'http', undefined] as const)
    expect(await ask('notebooks_export', { to: folder }, surface === undefined ? {} : { surface })).toMatchObject({
      error: { code: 'UNKNOWN_TOOL' },
    });
});
