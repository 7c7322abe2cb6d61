import type pg from 'pg';
import type { Log } from '../../log/log.ts';
import { type Connection, createConnection } from './connection.ts';
import { fromDriver } from './errors.ts';
import { postgresLimits } from './postgres-limits.ts';
import { quote, schemaName } from './schema.ts';
import type { TransactionDeadline } from './transaction-deadline.ts';

type GetTypeParser = NonNullable<pg.ClientConfig['types']>['getTypeParser'];
type Parse = (text: string) => unknown;

/** Type numbers in pg_type, which never change. */
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, float4: 700, float8: 701, numeric: 1700 } as const;

function toInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`bug: the store returned ${text}, which a number cannot hold`);
  return value;
}

/** Sums of integers are `numeric` here and integers on SQLite. */
const toNumber = (text: string): number => (/^-?\d+$/.test(text) ? toInteger(text) : Number(text));

const parsers: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [oids.bool, (text) => (text === 't' ? 1 : 0)],
  [oids.bytea, (text) => Buffer.from(text.slice(2), 'hex')],
  [oids.int8, toInteger],
  [oids.int4, Number],
  [oids.int2, Number],
  [oids.float4, Number],
  [oids.float8, Number],
  [oids.numeric, toNumber],
]);

const asText: Parse = (text) => text;

/** Gives values the types that SQLite returns: numbers, text, bytes; a condition is 1 or 0. */
export const getTypeParser: GetTypeParser = (oid: number) => parsers.get(oid) ?? asText;

export interface PoolOptions {
  readonly url: string;
  readonly poolSize?: number | undefined;
  readonly role: string;
  readonly log: Log;
}

export interface PooledConnection {
  readonly connection: Connection;
  release(): void;
}

export interface Pool {
  /** Waits for a free connection, but not beyond the deadline. */
  acquire(deadline: TransactionDeadline): Promise<PooledConnection>;
  /** Runs a single statement without returning its result. */
  run(text: string): Promise<void>;
  /** True for a server process that serves one of these connections. */
  isOwn(processId: number): boolean;
  /** Share of the connections in use. */
  usage(): number;
  close(): Promise<void>;
}

/** Settings of every connection before it serves a call. */
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
      const connection = createConnection(client, driver.Query);
      await client.query(setUp(role));
      connections.set(client, connection);
    },
  });
  pool.on('remove', (client) => connections.delete(client));
  // The pool has already removed an idle connection that is lost.
  pool.on('error', (error) => log.debug({ reason: error.message }, 'an idle connection to PostgreSQL was lost'));

  const toPooled = (client: pg.PoolClient): PooledConnection => {
    const connection = connections.get(client);
    if (connection === undefined) throw new Error('bug: the pool returned a connection that it has not opened');
    return { connection, release: () => client.release(!connection.isAlive) };
  };

  return {
    acquire: (deadline) =>
      new Promise((resolve, reject) => {
        if (deadline.failure !== undefined) return reject(deadline.failure);
        deadline.onFailure(reject);
        pool.connect((error, client) => {
          if (error !== undefined || client === undefined) return reject(fromDriver(error));
          if (deadline.failure !== undefined) return client.release();
          deadline.onFailure(undefined);
          resolve(toPooled(client));
        });
      }),
    async run(text) {
      await pool.query(text);
    },
    usage: () => (pool.totalCount - pool.idleCount) / pool.options.max,
    isOwn: (processId) => connections.values().some((connection) => connection.processId === processId),
    close: () => pool.end(),
  };
}
