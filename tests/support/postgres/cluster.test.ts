import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, test, vi } from 'vitest';
import { startCluster } from './cluster.ts';
import { requestClusterAddress, serveClusterAddress } from './cluster-address.ts';
import { nodeFlags } from './node-flags.ts';
import { createTestDatabase } from './test-database.ts';
import { asAdmin } from './test-login.ts';

const nowhere = 'postgres://postgres@localhost/postgres?host=%2Fnowhere';

describe('the server of the tests', () => {
  test('gives every suite its own database, with a login that has no special rights', async () => {
    const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    expect(one.url).not.toBe(two.url);
    const { rows } = await asAdmin(one.url, (client) =>
      client.query('select rolsuper, rolbypassrls from pg_roles where rolname = current_user'),
    );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false }]);
    await Promise.all([one.drop(), two.drop()]);
  });

  test('reports why a server cannot be reached', async () => {
    const server = await serveClusterAddress(nowhere, 'unreachable');
    await expect(requestClusterAddress(server.path)).rejects.toThrow('ENOENT');
    await expect(requestClusterAddress(server.path)).rejects.toThrow('ENOENT');
    await server.close();
  });

  test('rejects a login without superuser rights, because the negative controls would prove nothing', async () => {
    await requestClusterAddress(inject('clusterAddressPath'));
    const database = await createTestDatabase();
    await expect(startCluster(database.url)).rejects.toThrow('must name a superuser');
    await database.drop();
  });

  test('ends with its owner, even if that is killed', async () => {
    const script = fileURLToPath(new URL('./cluster-owner.ts', import.meta.url));
    const owner = spawn(process.execPath, [...nodeFlags, script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [url] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
    const socketFolder = new URL(url).searchParams.get('host')!;
    expect(existsSync(socketFolder)).toBe(true);
    await asAdmin(url, (client) => client.query('select 1'));
    owner.kill('SIGKILL');
    await vi.waitFor(() => expect(existsSync(dirname(socketFolder))).toBe(false), { timeout: 120_000, interval: 20 });
    await expect(asAdmin(url, (client) => client.query('select 1'))).rejects.toThrow('ENOENT');
  });
});
