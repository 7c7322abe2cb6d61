import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { plantNotebooks } from '#domains/notebooks/pads/notebooks.fixture.ts';
import { localTenant, toTenantId } from '#kernel/call.ts';
import { createManualClock } from '#kernel/clock/clock.ts';
import { systemCall } from '#kernel/jobs/system-call.ts';
import { silentLog } from '#kernel/log/log.ts';
import { sql } from '#kernel/storage/sql.ts';
import { openSqlite } from '#kernel/storage/sqlite/open-sqlite.ts';
import { migrations } from '#migrations/all.ts';
import { checkNotebooks } from './admin/doctor/check-notebooks.ts';
import { createBulkNotebooks } from './bulk-notebooks.ts';

async function open(readOnly = false) {
  const folder = await mkdtemp(join(tmpdir(), 'ff-bulk-'));
  const clock = createManualClock();
  const file = join(folder, 'store.db');
  const storage = openSqlite({ file, migrations, clock, log: silentLog, auditKey: Buffer.alloc(32) });
  const notebooks = plantNotebooks({ storage, clock });
  onTestFinished(async () => {
    await notebooks.close();
    await storage.close();
    await rm(folder, { recursive: true, force: true });
  });
  const tenant = localTenant;
  const bulk = createBulkNotebooks(
    {
      invoke: notebooks.invoke,
      clock,
      permits: { mutation: true, readOnly },
      pads: async () => notebooks.pads,
      storage,
    },
    { tenant, actor: 'ada', scopes: new Set(['admin']) },
  );
  return { ...notebooks.as(tenant), as: notebooks.as, bulk, folder, storage };
}

const run = { signal: undefined, progress() {} };
const all = { namespaces: undefined, tags: undefined };

test('scratchpads go out and come in, and are listed', async () => {
  const { ask, bulk, folder } = await open();
  await ask('scratch_create', { scratch_id: 'plan', metadata: { namespace: 'work' } });
  await ask('scratch_create', { scratch_id: 'other' });
  const to = join(folder, 'out');
  await bulk.export({ to, format: 'ipynb', ids: undefined, force: false, dryRun: false, ...all }, run);
  expect(await readdir(to)).toEqual(['other.ipynb', 'plan.ipynb']);
  await ask('scratch_delete', { scratch_id: 'plan' });
  const options = { paths: [to], mode: 'skip', namespace: undefined, dryRun: false } as const;
  expect(await bulk.import(options, run)).toMatchObject({ imported: 1, kept: 1 });
  expect(await bulk.list({ ...all, limit: 1 }, run)).toMatchObject({ scratchpads: [{ scratch_id: 'other' }] });
  expect(await bulk.list({ ...all, namespaces: ['work'], limit: 9 }, run)).toMatchObject({
    scratchpads: [{ scratch_id: 'plan' }],
  });
});

test('counts that somebody has meddled with are found by the doctor and made right', async () => {
  const { ask, bulk, storage } = await open();
  await ask('scratch_create', { scratch_id: 'plan' });
  const call = () => systemCall('planted', { tenant: localTenant });
  expect(await checkNotebooks(storage, call)).toMatchObject({ status: 'ok' });
  await storage.write(call(), function* (db) {
    yield* db.run(sql`update notebook_totals set pads_count = 7 where tenant = ${db.tenant}`);
  });
  expect(await checkNotebooks(storage, call)).toMatchObject({
    status: 'warn',
    detail: expect.stringContaining('totals 1'),
  });
  expect(await bulk.recount({}, run)).toMatchObject({ wrong: { totals: 1 } });
  expect(await bulk.recount({}, run)).toMatchObject({ wrong: { totals: 0 } });
});

test('what was deleted is shown and comes back, one copy or another, under its own or another id', async () => {
  const { ask, bulk } = await open();
  for (const title of ['first', 'second']) {
    await ask('scratch_create', { scratch_id: 'plan', metadata: { title } });
    await ask('scratch_delete', { scratch_id: 'plan' });
  }
  const { scratchpads: trashed } = await bulk.trash({ limit: 10 }, run);
  expect(new Set(trashed.map(({ title }) => title))).toEqual(new Set(['first', 'second']));
  const copy = trashed.find(({ title }) => title === 'first')?.pad_key;
  await bulk.restore({ id: 'plan', as: 'older', copy }, run);
  await bulk.restore({ id: 'plan', as: undefined, copy: undefined }, run);
  expect(await ask('scratch_read', { scratch_id: 'older' })).toMatchObject({ scratchpad: { title: 'first' } });
  expect(await ask('scratch_read', { scratch_id: 'plan' })).toMatchObject({ scratchpad: { title: 'second' } });
  expect(await bulk.trash({ limit: 10 }, run)).toEqual({ scratchpads: [] });
});

test('what cannot come back is refused', async () => {
  const { ask, bulk } = await open();
  const restore = (id: string, as?: string) => bulk.restore({ id, as, copy: undefined }, run);
  await expect(restore('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await ask('scratch_create', { scratch_id: 'plan' });
  await ask('scratch_delete', { scratch_id: 'plan' });
  await expect(restore('plan', '../up')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  await expect(restore('plan', 'schemas')).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  await ask('scratch_create', { scratch_id: 'plan' });
  await expect(restore('plan')).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(bulk.trash({ limit: 0 }, run)).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
  const { bulk: still } = await open(true);
  await expect(still.restore({ id: 'plan', as: undefined, copy: undefined }, run)).rejects.toMatchObject({
    code: 'READ_ONLY',
  });
});

test('the tenant that is named is the one whose scratchpads go out, come in, are listed, shown and restored', async () => {
  const { ask, as, bulk, folder } = await open();
  const acme = as(toTenantId('acme'));
  await acme.ask('scratch_create', { scratch_id: 'theirs' });
  await ask('scratch_create', { scratch_id: 'mine' });
  const idsOf = async (tenant?: string) => JSON.stringify(await bulk.list({ ...all, limit: 9, tenant }, run));
  expect([await idsOf('acme'), await idsOf()].map((text) => text.match(/"(?:mine|theirs)"/g))).toEqual([
    ['"theirs"'],
    ['"mine"'],
  ]);
  const to = join(folder, 'out');
  const out = { to, format: 'md', ids: undefined, force: false, dryRun: false, ...all, tenant: 'acme' } as const;
  expect(await bulk.export(out, run)).toMatchObject({ files: ['theirs.md'] });
  const options = { paths: [to], mode: 'skip', namespace: undefined, dryRun: false, tenant: 'third' } as const;
  expect(await bulk.import(options, run)).toMatchObject({ imported: 1 });
  expect(await idsOf('third')).toContain('"theirs"');
  await acme.ask('scratch_delete', { scratch_id: 'theirs' });
  expect(await bulk.trash({ limit: 9 }, run)).toEqual({ scratchpads: [] });
  expect((await bulk.trash({ limit: 9, tenant: 'acme' }, run)).scratchpads).toHaveLength(1);
  await bulk.restore({ id: 'theirs', as: undefined, copy: undefined, tenant: 'acme' }, run);
  expect(await acme.ask('scratch_read', { scratch_id: 'theirs' })).toMatchObject({ ok: true });
});

test('what a tool refuses has the code that it has everywhere else', async () => {
  const { bulk } = await open();
  await expect(bulk.list({ ...all, limit: 0 }, run)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
});
