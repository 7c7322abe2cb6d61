import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, programFile, startProgram } from '#tests/support/program.ts';
import { converse, type Victim } from '#tests/support/survival/victim.ts';

/** Mounts that only the program sees and that vanish with it. Permissions would not stop root, a mount does. */
const inMounts = (script: string) => ['-rm', 'sh', '-c', `${script} && shift && exec "$@"`, 'sh'];
const readOnlyDisk = inMounts('mount --bind "$1" "$1" && mount -o remount,bind,ro "$1"');
/** A small disk with a copy of the folder, filled to the last byte. */
const fullDisk = inMounts(
  'cp -a "$1" "$1.copy" && mount -t tmpfs -o size=8m tmpfs "$1" && cp -a "$1.copy/." "$1" && ' +
    '{ dd if=/dev/zero of="$1/filler" bs=1024 2>/dev/null || true; }',
);
const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt']).status === 0;
if (!canMount) process.stderr.write('No disk can be mounted here: the tests of unwritable disks are left out.\n');

const env = { FOURFOLD_LOG_LEVEL: 'error', MCP_ENABLE_MUTATION: '1', PATH: process.env['PATH'] ?? '' };

describe.skipIf(!canMount)('a data folder on a disk that cannot be written', () => {
  let folder: string;
  let remove: () => void;

  /** A store with something in each memory. One that was closed has no log; one that was killed has a log. */
  async function fill(home: string, end: 'closed' | 'killed'): Promise<void> {
    const program = await converse(startProgram([], { ...env, FOURFOLD_HOME: home }));
    await program.call('instructions/add', { entry: { id: 'rule', body: 'Follow the rule.' }, lax: true });
    await program.call('knowledge_ingest', {
      library: 'lib',
      version: '1.0.0',
      pages: [{ path: 'a.md', content: '# Aardvark' }],
    });
    await program.call('scratch_create', {
      scratch_id: 'pad',
      cells: [{ language: 'txt', content: 'a note about bees' }],
    });
    await program.call('store_record', { type: 'note', properties: { text: 'kept' } });
    if (end === 'closed') await program.end();
    else await program.kill();
  }

  beforeAll(async () => {
    ({ folder, remove } = makeFolder());
    await fill(join(folder, 'closed'), 'closed');
    await fill(join(folder, 'killed'), 'killed');
    expect(readdirSync(join(folder, 'closed'))).not.toContain('fourfold.db-wal');
    expect(readdirSync(join(folder, 'killed'))).toContain('fourfold.db-wal');
  });

  afterAll(() => remove());

  function prepare(kind: string): string {
    const place = makeFolder();
    onTestFinished(place.remove);
    const home = join(place.folder, 'home');
    cpSync(join(folder, kind), home, { recursive: true });
    // Another process would be needed to keep it; without one it is created at the next start.
    rmSync(join(home, 'fourfold.db-shm'), { force: true });
    return home;
  }

  const start = (disk: readonly string[], home: string, args: readonly string[]): ChildProcessWithoutNullStreams =>
    spawn('unshare', [...disk, home, process.execPath, programFile, ...args], {
      env: { ...env, FOURFOLD_HOME: home },
      stdio: 'pipe',
    });

  async function expectReads({ call }: Victim): Promise<void> {
    expect(await call('instructions/get', { id: 'rule' })).toMatchObject({ item: { id: 'rule' } });
    expect(await call('instructions/search', { q: 'rule' })).toMatchObject({ count: 1 });
    expect(await call('knowledge_list')).toMatchObject({ libraries: [{ library: 'lib' }] });
    expect(JSON.stringify(await call('search_docs', { query: 'aardvark' }))).toContain('Aardvark');
    expect(await call('scratch_read', { scratch_id: 'pad' })).toMatchObject({ ok: true });
    expect(JSON.stringify(await call('scratch_search', { query: 'bees' }))).toContain('pad');
    expect(await call('retrieve_records', {})).toMatchObject({ total: 1 });
    expect(await call('audit/verify')).toMatchObject({ ok: true });
  }

  it.each([
    ['closed', []],
    ['closed', ['--read-only']],
    ['killed', []],
    ['killed', ['--read-only']],
  ])('serves all reads from a read-only disk (%s, %j)', async (kind, args) => {
    const home = prepare(kind);
    const before = readdirSync(home).toSorted();
    const program = await converse(start(readOnlyDisk, home, args));
    await expectReads(program);
    const write = program.call('store_record', { type: 'note', properties: {} });
    await expect(write).rejects.toThrow(args.length === 0 ? /DB_INSERT_FAILED.*read-only/ : /READ_ONLY/);
    const health = await program.call('health/check');
    if (args.length > 0) expect(health).toMatchObject({ status: 'ok' });
    else expect(health).toMatchObject({ status: 'degraded', reasons: [expect.stringContaining('read-only')] });
    expect(await program.end()).toBe(0);
    if (args.length > 0) expect(program.said()).not.toContain('background job failed');
    expect(readdirSync(home).toSorted()).toEqual(before);
  });

  it.each(['closed', 'killed'])(
    'serves reads from a full disk, reports it, and recovers by itself (%s)',
    async (kind) => {
      const home = prepare(kind);
      mkdirSync(join(home, 'empty'));
      const child = start(fullDisk, home, ['serve', '--port', '0', '--no-auth', '--metrics']);
      onTestFinished(() => void child.kill('SIGKILL'));
      let stdout = '';
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
      await expect
        .poll(() => stdout + (child.exitCode === null ? '' : stderr), { timeout: 60_000 })
        .toContain('Connect a client');
      const url = /http:\/\/\S+/.exec(stdout)?.[0] ?? '';
      const call = async (tool: string, args: object = {}) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`${url}/api/tools/${tool}`, { method: 'POST', headers, body: JSON.stringify(args) });
        return { status: answer.status, value: (await answer.json()) as Record<string, unknown> };
      };
      const ready = async () => {
        const answer = await fetch(`${url}/readyz`);
        return { status: answer.status, ...((await answer.json()) as object) };
      };
      const metrics = async () => (await fetch(`${url}/metrics`)).text();
      expect((await call('retrieve_records')).value).toMatchObject({ total: 1 });
      expect((await call('scratch_read', { scratch_id: 'pad' })).value).toMatchObject({ ok: true });
      expect(await ready()).toMatchObject({
        status: 503,
        ready: false,
        checks: { store: 'ok', writes: expect.stringMatching(/disk|opened/) },
      });
      expect((await call('health_check')).value).toMatchObject({ status: 'degraded' });
      expect(await metrics()).toMatch(/fourfold_store_writable 0\n[\s\S]*fourfold_store_problem\{reason="[^"]+"\} 1/);
      const large = { type: 'note', properties: { text: 'x'.repeat(200_000) } };
      expect((await call('store_record', large)).status).toBeGreaterThanOrEqual(500);
      // The mount is visible through the process that lives in it.
      rmSync(join('/proc', String(child.pid), 'root', home, 'filler'));
      await expect.poll(ready, { timeout: 60_000, interval: 200 }).toMatchObject({ status: 200, ready: true });
      expect((await call('store_record', large)).status).toBe(200);
      expect((await call('retrieve_records')).value).toMatchObject({ total: 2 });
      expect((await call('health_check')).value).toMatchObject({ status: 'ok' });
      expect(await metrics()).toContain('fourfold_store_writable 1');
      child.kill('SIGTERM');
      await expect.poll(() => child.exitCode, { timeout: 60_000 }).toBe(0);
    },
  );

  it('reports a disk that fills up while the program runs, and recovers by itself', async () => {
    const home = prepare('closed');
    const child = start(fullDisk, home, []);
    const inMount = join('/proc', String(child.pid), 'root', home, 'filler');
    const program = await converse(child);
    rmSync(inMount);
    await expect.poll(() => program.call('health/check'), { timeout: 60_000 }).toMatchObject({ status: 'ok' });
    await program.call('store_record', { type: 'note', properties: {} });
    for (let bytes = 1024 * 1024; bytes >= 1024; ) {
      try {
        writeFileSync(inMount, Buffer.alloc(bytes), { flag: 'a' });
      } catch {
        bytes = Math.floor(bytes / 2);
      }
    }
    expect(await program.call('health/check')).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringContaining('the disk is full')],
    });
    rmSync(inMount);
    expect(await program.call('health/check')).toMatchObject({ status: 'ok' });
    await program.call('store_record', { type: 'note', properties: {} });
    expect(await program.call('retrieve_records', {})).toMatchObject({ total: 3 });
    expect(await program.end()).toBe(0);
  });
});
