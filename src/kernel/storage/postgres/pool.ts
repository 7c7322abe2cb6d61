import type pg from 'pg';
import type { Log } from '../../log/log.ts';
import { type Connection, wrap } from './connection.ts';
import { fromDriver } from './errors.ts';
import { postgresLimits } from './limits.ts';
import type { Patience } from './patience.ts';
import { quote, schemaName } from './schema.ts';
import { getTypeParser } from './values.ts';

export interface PoolOptions {
  readonly url: string;
  readonly poolSize?: number | undefined;
  readonly role: string;
  readonly log: Log;
}

export interface Loan {
  readonly connection: Connection;
  giveBack(): void;
}

/** The connections that serve calls. */
export interface Pool {
  /** Waits for a free connection no longer than the call does. */
  borrow(patience: Patience): Promise<Loan>;
  /** One statement of its own, whose answer is of no interest. */
  say(text: string): Promise<void>;
  /** True for a process of the server that serves one of these connections. */
  isOwn(processId: number): boolean;
  close(): Promise<void>;
}

/** What every connection of the program is before it serves a call. */
const setUp = (role: string): string => `
  set role ${quote(role)};
  set search_path to ${schemaName}, public;
  set idle_in_transaction_session_timeout to ${postgresLimits.idleInTransactionMs};
  select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'`;

export const clientConfig = (url: string) =>
  ({
    connectionString: url,
    application_name: 'fourfold',
    keepAlive: true,
    connectionTimeoutMillis: postgresLimits.connectMs,
    types: { getTypeParser },
  }) satisfies pg.ClientConfig;

export async function openPool({ url, poolSize, role, log }: PoolOptions): Promise<Pool> {
  const driver = await import('pg');
  const connections = new Map<pg.ClientBase, Connection>();
  const pool = new driver.Pool({
    ...clientConfig(url),
    pipeline: true,
    max: poolSize ?? postgresLimits.poolCount,
    idleTimeoutMillis: postgresLimits.poolIdleMs,
    async onConnect(client) {
      const connection = wrap(client, driver.Query);
      await client.query(setUp(role));
      connections.set(client, connection);
    },
  });
  pool.on('remove', (client) => connections.delete(client));
  // A connection that is lost while nobody uses it has left the pool already.
  pool.on('error', (error) => log.debug({ reason: error.message }, 'an idle connection to PostgreSQL was lost'));

  const lend = (client: pg.PoolClient): Loan => {
    const connection = connections.get(client);
    if (connection === undefined) throw new Error('bug: the pool lends a connection that it has not opened');
    return { connection, giveBack: () => client.release(!connection.isAlive) };
  };

  return {
    borrow: (patience) =>
      new Promise((resolve, reject) => {
        if (patience.over !== undefined) return reject(patience.over);
        patience.whenOver(reject);
        pool.connect((error, client) => {
          if (error !== undefined || client === undefined) return reject(fromDriver(error));
          if (patience.over !== undefined) return client.release();
          patience.whenOver(undefined);
          resolve(lend(client));
        });
      }),
    async say(text) {
      await pool.query(text);
    },
    isOwn: (processId) => connections.values().some((connection) => connection.processId === processId),
    close: () => pool.end(),
  };
}
