/** The supported commands: each calls one function of the extension with the bytes of the command. */
import type pg from 'pg';
import { type Element, readElements, readValue, type Writable, writeDocument } from './bson.ts';
import type { Cursors } from './cursors.ts';
import { CommandFault, nameWriteErrors } from './errors.ts';

export interface Request {
  readonly command: Buffer;
  readonly sequences: ReadonlyMap<string, Buffer>;
}

export interface Backend {
  readonly pool: pg.Pool;
  readonly cursors: Cursors;
}

interface Call {
  readonly database: string;
  readonly elements: readonly Element[];
  readonly command: Buffer;
  /** The documents of an insert, update or delete that were sent as a separate section. */
  readonly sequence: Buffer | null;
  readonly backend: Backend;
}

type Answer = Buffer | Promise<Buffer>;

const bson = (parameter: number): string => `$${parameter}::bytea::documentdb_core.bson`;
const sequence = (parameter: number): string => `$${parameter}::bytea::documentdb_core.bsonsequence`;

async function ask({ pool }: Backend, sql: string, values: readonly unknown[]): Promise<Buffer> {
  const { rows } = await pool.query<{ result: Buffer }>(sql, [...values]);
  return rows[0]!.result;
}

/** A function that takes the database and the command and returns the answer document. */
const byCommand =
  (expression: string) =>
  ({ backend, database, command }: Call): Answer =>
    ask(backend, `select (${expression})::bytea as result`, [database, command]);

const byDocuments =
  (name: string) =>
  async ({ backend, database, command, sequence: documents }: Call): Promise<Buffer> => {
    const sql = `select p_result::bytea as result from documentdb_api.${name}($1, ${bson(2)}, ${sequence(3)})`;
    return nameWriteErrors(await ask(backend, sql, [database, command, documents]));
  };

const firstPage =
  (name: string) =>
  ({ backend, database, command }: Call): Answer =>
    backend.cursors.open(database, command, `documentdb_api.${name}_cursor_first_page`);

/** The value of the first element, which names the collection. */
const target = ({ elements }: Call): string => String(readValue(elements[0]!));

const say = (fields: Readonly<Record<string, Writable>>) => (): Answer => writeDocument({ ...fields, ok: 1 });

const hello = ({ elements }: Call): Answer =>
  writeDocument({
    helloOk: true,
    [elements[0]!.name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
    maxBsonObjectSize: 16 * 1024 * 1024,
    maxMessageSizeBytes: 48_000_000,
    maxWriteBatchSize: 100_000,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: 30,
    connectionId: 1,
    minWireVersion: 0,
    maxWireVersion: 21,
    readOnly: false,
    ok: 1,
  });

async function drop(call: Call): Promise<Buffer> {
  const { rows } = await call.backend.pool.query<{ dropped: boolean }>(
    'select documentdb_api.drop_collection($1, $2) as dropped',
    [call.database, target(call)],
  );
  if (rows[0]?.dropped !== true) throw new CommandFault(26, 'NamespaceNotFound', 'ns not found');
  return writeDocument({ ns: `${call.database}.${target(call)}`, ok: 1 });
}

async function dropDatabase({ backend, database }: Call): Promise<Buffer> {
  await backend.pool.query('select documentdb_api.drop_database($1)', [database]);
  return writeDocument({ dropped: database, ok: 1 });
}

async function dropIndexes({ backend, database, command }: Call): Promise<Buffer> {
  // The answer of a procedure cannot be cast in the call; its binary form is BSON.
  const call: pg.QueryConfig & { readonly binary: true } = {
    text: `call documentdb_api.drop_indexes($1, ${bson(2)}, null)`,
    values: [database, command],
    binary: true,
    types: { getTypeParser: () => (value: unknown) => value },
  };
  const { rows } = await backend.pool.query<{ retval: Buffer }>(call);
  return rows[0]!.retval;
}

const noTransactions = (): Answer => {
  throw new CommandFault(
    20,
    'IllegalOperation',
    'Transaction numbers are only allowed on a replica set member or mongos',
  );
};

const commands: Readonly<Record<string, (call: Call) => Answer>> = {
  hello,
  ismaster: hello,
  ping: say({}),
  buildinfo: say({ version: '7.0.0', versionArray: [7, 0, 0, 0], maxBsonObjectSize: 16 * 1024 * 1024 }),
  connectionstatus: say({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] } }),
  endsessions: say({}),
  insert: byDocuments('insert'),
  update: byDocuments('update'),
  delete: byDocuments('delete'),
  findandmodify: byCommand(`select p_result from documentdb_api.find_and_modify($1, ${bson(2)})`),
  find: firstPage('find'),
  aggregate: firstPage('aggregate'),
  listcollections: firstPage('list_collections'),
  listindexes: firstPage('list_indexes'),
  getmore: ({ backend, database, command, elements }) =>
    backend.cursors.more(database, command, BigInt(String(readValue(elements[0]!)))),
  killcursors: ({ backend, elements }) => backend.cursors.kill(elements.find(({ name }) => name === 'cursors')),
  count: byCommand(`documentdb_api.count_query($1, ${bson(2)})`),
  distinct: byCommand(`documentdb_api.distinct_query($1, ${bson(2)})`),
  create: byCommand(`documentdb_api.create_collection_view($1, ${bson(2)})`),
  createindexes: byCommand(`documentdb_api_internal.create_indexes_non_concurrently($1, ${bson(2)}, true)`),
  dropindexes: dropIndexes,
  drop,
  dropdatabase: dropDatabase,
  listdatabases: ({ backend, command }) =>
    ask(backend, `select documentdb_api.list_databases(${bson(1)})::bytea as result`, [command]),
  dbstats: ({ backend, database }) => ask(backend, 'select documentdb_api.db_stats($1)::bytea as result', [database]),
  collstats: (call) =>
    ask(call.backend, 'select documentdb_api.coll_stats($1, $2)::bytea as result', [call.database, target(call)]),
  aborttransaction: noTransactions,
  committransaction: noTransactions,
};

export function runCommand({ command, sequences }: Request, backend: Backend): Answer {
  const elements = readElements(command);
  const name = elements[0]?.name ?? '';
  const run = Object.hasOwn(commands, name.toLowerCase()) ? commands[name.toLowerCase()] : undefined;
  if (run === undefined) throw new CommandFault(59, 'CommandNotFound', `no such command: '${name}'`);
  if (elements.some((element) => element.name === 'startTransaction')) return noTransactions();
  const database = elements.find((element) => element.name === '$db');
  return run({
    database: database === undefined ? 'admin' : String(readValue(database)),
    elements,
    command,
    sequence: [...sequences.values()][0] ?? null,
    backend,
  });
}
