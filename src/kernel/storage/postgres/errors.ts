import { defineFaults, Fault, fault } from '../../fault/fault.ts';
import { faults } from '../../fault/kernel-faults.ts';

export const postgresFaults = defineFaults({
  STORE_SETUP: fault({
    rpc: -32603,
    http: 500,
    retryable: false,
    say: (p: { why: string }) => `The database is not set up for Fourfold: ${p.why}`,
    fix: 'Let an administrator of the database do what the message names, then start again.',
  }),
});

/** What the server said about a statement, without its DETAIL: that one holds the values of rows. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
  /** SQLSTATE. */
  readonly code: string;

  constructor(code: string, message: string, statement?: string) {
    super(
      `PostgreSQL ${code}: ${message}${statement === undefined ? '' : ` (in: ${statement.replaceAll(/\s+/g, ' ').trim()})`}`,
    );
    this.code = code;
  }
}

const reasons: Readonly<Record<string, string>> = {
  '08': 'the connection was lost',
  '28': 'the server refuses the user or the password',
  '3D000': 'the database does not exist: create it',
  '53': 'the server has not enough of what it needs',
  '53100': 'the disk of the server is full',
  '53200': 'the server is out of memory',
  '53300': 'the server has no connection left: raise max_connections, or lower the size of the pool',
  '25P03': 'the program was silent in the middle of a transaction, and the server ended it',
  // Our statements ask for no state that can be wrong: this is a database that an administrator has closed, or a broken one.
  '55000': 'the database takes no connections or no statements now',
  '57P01': 'the server ended the connection',
  '57P02': 'the server crashed and is coming back',
  '57P03': 'the server is starting or stopping',
  '57P04': 'the database was dropped',
  '57P05': 'the connection was silent for too long, and the server ended it',
  '58': 'the disk of the server reported an error',
};

const whyOf = (code: string): string | undefined => reasons[code] ?? reasons[code.slice(0, 2)];

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOENT: 'nothing listens at its address',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host is not known',
  ETIMEDOUT: 'it does not answer',
  EACCES: 'its socket may not be opened',
};

/** The server's own words have a severity and a SQLSTATE; everything else that the driver rejects with is the connection's. */
export function fromDriver(error: unknown, statement?: string): Fault | StatementError {
  if (error instanceof Fault || error instanceof StatementError) return error;
  const { code, message, severity } = error as { code?: unknown; message: string; severity?: unknown };
  if (typeof code === 'string' && severity !== undefined) {
    const why = whyOf(code);
    if (why !== undefined) return faults.STORE_UNAVAILABLE({ why }, {}, { cause: new StatementError(code, message) });
    // Errors of class 22 quote the value that they complain of.
    return new StatementError(code, code.startsWith('22') ? 'a value does not fit its place' : message, statement);
  }
  if (message === 'timeout exceeded when trying to connect') return faults.STORE_BUSY();
  const why = typeof code === 'string' ? unreachable[code] : undefined;
  return faults.STORE_UNAVAILABLE({ why: why ?? 'the connection was lost' }, {}, { cause: error });
}

/** Serialisation failures and deadlocks: nothing was kept, and the same work may well succeed now. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof StatementError && (error.code === '40001' || error.code === '40P01');

/** What remains of an error when no retry is left. */
export function toStoreFault(error: unknown, mode: 'read' | 'write'): unknown {
  if (!(error instanceof StatementError)) return error;
  if (isRetryable(error)) return faults.STORE_BUSY();
  if (error.code === '25006' && mode === 'write') {
    return faults.STORE_UNAVAILABLE({ why: 'the server takes no writes: it is a standby or set read-only' });
  }
  return error;
}

/** Classes of which the server says after a COMMIT that it rolled back, and stays connected. */
const rolledBackClasses: ReadonlySet<string> = new Set(['22', '23', '40', '42', '44', 'P0']);

/** True when a failed COMMIT is known to have kept nothing. Anything else may have happened before or after it was kept. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof StatementError && (rolledBackClasses.has(error.code.slice(0, 2)) || error.code === '57014');
