import { connect } from 'node:net';
import type pg from 'pg';
import { fromDriver } from './errors.ts';
import type { Query } from './render.ts';

export type Rows = readonly Readonly<Record<string, unknown>>[];

export interface QueryResult {
  readonly rows: Rows;
  readonly rowCount: number | null;
  readonly command: string;
}

/** One connection, used by one transaction at a time. */
export interface Connection {
  /** Results arrive in the order of the queries. Queries of one event-loop turn travel together. */
  query(query: Query | string): Promise<QueryResult>;
  /** Sends a query without waiting for its result. */
  send(text: string): void;
  /** False once the socket is known to be dead. */
  readonly isAlive: boolean;
  readonly processId: number;
  /** Ends the connection, and asks the server to cancel its current work. */
  kill(): void;
}

/** The driver has these fields but does not declare them. */
type DriverClient = pg.ClientBase & pg.Client & { readonly processID: number; readonly secretKey: number };

/** A cancel request uses its own connection and gets no reply. If it gets lost, the server does some useless work. */
function requestCancel({ host, port, processID, secretKey }: DriverClient): void {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80_877_102, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => {}).unref();
  socket.end(request);
}

export function createConnection(client: pg.ClientBase, Query: typeof pg.Query): Connection {
  const wire = client as DriverClient;
  let isAlive = true;
  let isHeldBack = false;
  // Without a listener, the event would end the process.
  wire.on('error', () => {
    isAlive = false;
  });

  /** Corks the socket until the end of the turn, so that one packet carries all queries of the turn. */
  function holdBack(): void {
    if (isHeldBack) return;
    isHeldBack = true;
    const { stream } = wire.connection;
    stream.cork();
    process.nextTick(() => {
      isHeldBack = false;
      stream.uncork();
    });
  }

  /** The driver copies a configuration object property by property. A Query object is used as it is. */
  function submit(query: Query | string, callback: (error: Error | undefined, answer: QueryResult) => void): void {
    holdBack();
    if (typeof query === 'string') wire.query(new Query(query, callback));
    else wire.query(Object.assign(new Query(query.text, query.values, callback), { name: query.name }));
  }

  return {
    get isAlive() {
      return isAlive;
    },
    get processId() {
      return wire.processID;
    },
    query: (query) =>
      new Promise((resolve, reject) => {
        const text = typeof query === 'string' ? query : query.text;
        submit(query, (error, answer) => (error ? reject(fromDriver(error, text)) : resolve(answer)));
      }),
    send: (text) => submit(text, () => {}),
    kill() {
      isAlive = false;
      requestCancel(wire);
      wire.connection.stream.destroy();
    },
  };
}
