import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test, vi } from 'vitest';
import { startCluster } from './cluster.ts';
import { askForCluster, openClusterDoor } from './cluster-door.ts';
import { nodeFlags } from './node-flags.ts';
import { createTestDatabase } from './test-database.ts';
import { asAdmin } from './test-login.ts';

const nowhere = 'postgres://postgres@localhost/postgres?host=%2Fnowhere';

describe('the server of the tests', () => {
  test('every suite gets a database of its own, and enters it as nobody special', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    expect(one.url).not.toBe(two.url);
    const { rows } = await asAdmin(one.url, (client) =>
      client.query('select rolsuper, rolbypassrls from pg_roles where rolname = current_user'),
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
    await Promise.all([one.drop(), two.drop()]);
  });

  test('one that cannot be reached fails whoever asks, with the reason', async () => {
    const door = await openClusterDoor(nowhere, 'unreachable');
    await expect(askForCluster(door.path)).rejects.toThrow('ENOENT');
    await expect(askForCluster(door.path)).rejects.toThrow('ENOENT');
    await door.close();
  });

  test('a login that is no superuser is refused, because the negative controls would show nothing', async () => {
    await askForCluster(inject('clusterDoor'));
    const database = await createTestDatabase();
    await expect(startCluster(database.url)).rejects.toThrow('must name a superuser');
    await database.drop();
  });

  test('it does not outlive whoever asked for it, even one that is killed', async () => {
    const script = fileURLToPath(new URL('./cluster-holder.ts', import.meta.url));
    const holder = spawn(process.execPath, [...nodeFlags, script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface({ input: holder.stdout }), 'line')) as [string];
    const socketFolder = new URL(url).searchParams.get('host')!;
    expect(existsSync(socketFolder)).toBe(true);
    await asAdmin(url, (client) => client.query('select 1'));
    holder.kill('SIGKILL');
    await vi.waitFor(() => expect(existsSync(dirname(socketFolder))).toBe(false), { timeout: 20_000, interval: 20 });
    await expect(asAdmin(url, (client) => client.query('select 1'))).rejects.toThrow('ENOENT');
  });
});
