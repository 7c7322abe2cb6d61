import { defineFaults, Fault, fault } from '../../fault/fault.ts';
import { faults } from '../../fault/kernel-faults.ts';

export const postgresFaults = defineFaults({
  STORE_SETUP: fault({
    rpc: -32603,
    http: 500,
    retryable: false,
    say: (p: { why: string }) => `The database is not set up for Fourfold: ${p.why}`,
    fix: 'Ask an administrator of the database to do what the message says, then start again.',
  }),
});

/** The server's message about a statement without its DETAIL, which holds row values. */
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
  '28': 'the server rejects the user or the password',
  '3D000': 'the database does not exist: create it',
  '53': 'the server lacks a resource',
  '53100': 'the disk of the server is full',
  '53200': 'the server is out of memory',
  '53300': 'the server has no free connection: raise max_connections, or lower the pool size',
  '25P03': 'the server ended a transaction in which the program was idle for too long',
  // Our statements need no special state: an administrator closed this database, or it is broken.
  '55000': 'the database does not accept connections or statements now',
  '57P01': 'the server ended the connection',
  '57P02': 'the server crashed and is recovering',
  '57P03': 'the server is starting or stopping',
  '57P04': 'the database was dropped',
  '57P05': 'the server ended a connection that was idle for too long',
  '58': 'the disk of the server reported an error',
};

const whyOf = (code: string): string | undefined => reasons[code] ?? reasons[code.slice(0, 2)];

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOENT: 'nothing listens at its address',
  ENOTFOUND: 'its host is unknown',
  EAI_AGAIN: 'its host is unknown',
  ETIMEDOUT: 'it does not respond',
  EACCES: 'permission to open its socket is denied',
};

/**
 * Errors of the server have a severity and a SQLSTATE. Everything else that the driver rejects with is about the
 * connection.
 */
export function fromDriver(error: unknown, statement?: string): Fault | StatementError {
  if (error instanceof Fault || error instanceof StatementError) return error;
  const { code, message, severity } = error as { code?: unknown; message: string; severity?: unknown };
  if (typeof code === 'string' && severity !== undefined) {
    const why = whyOf(code);
    if (why !== undefined) return faults.STORE_UNAVAILABLE({ why }, {}, { cause: new StatementError(code, message) });
    // Errors of class 22 quote the offending value.
    return new StatementError(code, code.startsWith('22') ? 'a value does not fit its column' : message, statement);
  }
  if (message === 'timeout exceeded when trying to connect') return faults.STORE_BUSY();
  const why = typeof code === 'string' ? unreachable[code] : undefined;
  return faults.STORE_UNAVAILABLE({ why: why ?? 'the connection was lost' }, {}, { cause: error });
}

/** Serialisation failures and deadlocks: nothing was committed, and a retry may succeed. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof StatementError && (error.code === '40001' || error.code === '40P01');

export const standbyWhy = 'the server does not accept writes: it is a standby or read-only';

/** The error to report when no retry is left. */
export function toStoreFault(error: unknown, mode: 'read' | 'write'): unknown {
  if (!(error instanceof StatementError)) return error;
  if (isRetryable(error)) return faults.STORE_BUSY();
  if (error.code === '25006' && mode === 'write') {
    return faults.STORE_UNAVAILABLE({ why: standbyWhy });
  }
  return error;
}

/** After a COMMIT that fails with one of these classes, the server has rolled back and stays connected. */
const rolledBackClasses: ReadonlySet<string> = new Set(['22', '23', '40', '42', '44', 'P0']);

/** True if a failed COMMIT is known to have rolled back. After any other error it may have succeeded. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof StatementError && (rolledBackClasses.has(error.code.slice(0, 2)) || error.code === '57014');
