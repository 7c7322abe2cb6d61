import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { askForCluster } from './cluster-door.ts';
import { asAdmin, readdress, testLogin } from './test-login.ts';

/** A database of its own for one suite. */
export interface TestDatabase {
  /** As the program connects: the owner of the database, no superuser. */
  readonly url: string;
  /** As an administrator does, whom row-level security does not bind. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { url: clusterUrl, isOurs } = await askForCluster(inject('clusterDoor'));
  const name = `ff_${randomBytes(6).toString('hex')}`;
  await asAdmin(clusterUrl, (client) =>
    client.query(`create database ${name} owner ${testLogin.name} template template0`),
  );
  return {
    url: readdress(clusterUrl, { user: testLogin.name, password: testLogin.password, database: name }),
    adminUrl: readdress(clusterUrl, { database: name }),
    async drop() {
      if (!isOurs) await asAdmin(clusterUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}
