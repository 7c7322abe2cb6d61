import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { requestClusterAddress } from './cluster-address.ts';
import { asAdmin, testLogin, withAddress } from './test-login.ts';

/** A database for one suite. */
export interface TestDatabase {
  /** For the program: owner of the database, not a superuser. */
  readonly url: string;
  /** For an administrator, who is exempt from row-level security. */
  readonly adminUrl: string;
  drop(): Promise<void>;
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const { url: clusterUrl, isTemporary } = await requestClusterAddress(inject('clusterAddressPath'));
  const name = `ff_${randomBytes(6).toString('hex')}`;
  await asAdmin(clusterUrl, (client) =>
    client.query(`create database ${name} owner ${testLogin.name} template template0`),
  );
  return {
    url: withAddress(clusterUrl, { user: testLogin.name, password: testLogin.password, database: name }),
    adminUrl: withAddress(clusterUrl, { database: name }),
    async drop() {
      if (!isTemporary)
        await asAdmin(clusterUrl, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}
