import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, runProgram, serveProgram, startProgram } from '#tests/support/program.ts';
import { converse } from '#tests/support/survival/victim.ts';

describe('a store or key file that was lost', () => {
  let home: string;
  let env: Record<string, string>;

  /** A folder that was used, with everything that a program leaves behind. */
  beforeEach(async () => {
    const { folder, remove } = makeFolder();
    onTestFinished(remove);
    home = join(folder, 'home');
    env = { FOURFOLD_HOME: home, FOURFOLD_LOG_LEVEL: 'error' };
    const program = await converse(startProgram([], env));
    await program.call('store_record', { type: 'note', properties: { text: 'kept' } });
    expect(await program.end()).toBe(0);
    writeFileSync(join(home, 'audit-checkpoints.jsonl'), '{}\n');
  });

  const lose = (name: string) => renameSync(join(home, name), join(home, '..', name));
  const countRecords = async () => {
    const { stdout, code } = await runProgram(['retrieve', 'records', '--json'], env);
    expect(code).toBe(0);
    return (JSON.parse(stdout) as { total: number }).total;
  };

  it.each([
    ['fourfold.db', 'The store'],
    ['key', 'The key file'],
  ])('%s is not replaced silently: serve, stdio and commands refuse to start', async (name, what) => {
    lose(name);
    const before = readdirSync(home).toSorted();
    const runs = [
      await runProgram(['serve', '--port', '0'], env),
      await runProgram([], env, `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`),
      await runProgram(['retrieve', 'records'], env),
      await runProgram(['migrate'], env),
    ];
    for (const { code, stderr } of runs) {
      expect(code).not.toBe(0);
      expect(stderr).toContain(`${what} ${join(home, name)} is missing, but `);
      expect(stderr).toContain('fourfold restore');
      expect(stderr).toContain('--start-empty');
    }
    expect(readdirSync(home).toSorted()).toEqual(before);
    const { code, stdout } = await runProgram(['doctor'], env);
    expect(code).not.toBe(0);
    expect(stdout).toContain('is missing');
    expect(existsSync(join(home, name))).toBe(false);
    renameSync(join(home, '..', name), join(home, name));
    expect(await countRecords()).toBe(1);
  });

  it('an empty store begins only on request, and keeps the checkpoints of the lost one', async () => {
    lose('fourfold.db');
    const served = await serveProgram(env, ['--start-empty']);
    await served.stop();
    expect(await countRecords()).toBe(0);
    const [aside] = readdirSync(home).filter((name) => name.startsWith('audit-checkpoints.jsonl.before-'));
    expect(readFileSync(join(home, aside!), 'utf8')).toBe('{}\n');
    expect((await runProgram(['audit', 'verify'], env)).code).toBe(0);
  });

  it.each(['blobs', 'fourfold.db.rescue-20260102T030405Z'])('is noticed by its %s alone', async (name) => {
    for (const each of readdirSync(home)) if (each !== 'key') rmSync(join(home, each), { recursive: true });
    if (name === 'blobs') mkdirSync(join(home, name, 'local'), { recursive: true });
    writeFileSync(name === 'blobs' ? join(home, name, 'local', 'a-file') : join(home, name), 'x');
    expect((await runProgram(['migrate'], env)).stderr).toContain(`${name} exists`);
  });

  it('a store that is deleted while the program runs is reported, and a copy of it can take its place', async () => {
    const program = await converse(startProgram([], env));
    expect(await program.call('retrieve_records', {})).toMatchObject({ total: 1 });
    rmSync(join(home, 'fourfold.db'));
    const write = program.call('store_record', { type: 'note', properties: {} });
    await expect(write).rejects.toThrow('its file was deleted or moved');
    expect(await program.call('health/check')).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringContaining('its file was deleted or moved')],
    });
    expect(await program.call('retrieve_records', {})).toMatchObject({ total: 1 });
    expect(await program.end()).toBe(0);
    const [rescue] = readdirSync(home).filter((name) => name.startsWith('fourfold.db.rescue-'));
    for (const end of ['-wal', '-shm']) rmSync(join(home, `fourfold.db${end}`), { force: true });
    renameSync(join(home, rescue!), join(home, 'fourfold.db'));
    expect(await countRecords()).toBe(1);
  });

  it('is not assumed because a first upload failed or was killed', async () => {
    for (const each of readdirSync(home)) if (each !== 'key') rmSync(join(home, each), { recursive: true });
    mkdirSync(join(home, 'blobs', 'local', 'tmp'), { recursive: true });
    writeFileSync(join(home, 'blobs', 'local', 'tmp', 'half'), 'x');
    expect((await runProgram(['migrate'], env)).code).toBe(0);
  });

  it('a folder with only a key and instructions is a first start', async () => {
    for (const each of readdirSync(home)) if (each !== 'key') rmSync(join(home, each), { recursive: true });
    mkdirSync(join(home, 'instructions'));
    expect((await runProgram(['migrate'], env)).code).toBe(0);
    expect(existsSync(join(home, 'fourfold.db'))).toBe(true);
  });
});
