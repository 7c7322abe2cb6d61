import { defineFaults, Fault, type FaultMaker, fault } from '../fault/fault.ts';
import { faults } from '../fault/kernel-faults.ts';

export const failed = (what: string) => ({
  rpc: -32603,
  http: 500,
  retryable: true,
  say: (p: { why: string }) => `${what}: ${p.why}`,
  fix: 'Repeat the call with the same idempotency key. If it keeps failing, run `fourfold doctor`.',
});

/** The document of truth and integrations has its own codes for a failing store (section 5.2). */
export const databaseFaults = defineFaults({
  DB_INSERT_FAILED: fault(failed('Database insert failed')),
  DB_UPDATE_FAILED: fault(failed('Database update failed')),
  DB_DELETE_FAILED: fault(failed('Database delete failed')),
  DB_QUERY_FAILED: fault(failed('Database query failed')),
  SERVICE_UNAVAILABLE: fault({
    rpc: -32603,
    http: 503,
    retryable: true,
    say: (p: { why: string }) => p.why,
    fix: 'Wait a moment and repeat the call with the same idempotency key.',
  }),
});

const closed: ReadonlySet<string> = new Set([faults.STORE_UNAVAILABLE.kind.code, faults.STORE_BUSY.kind.code]);

/** For `catch`: throws the documented fault instead of the store's own. */
export const throwDatabaseFault =
  (toFault: FaultMaker<{ why: string }>) =>
  (error: unknown): never => {
    if (!(error instanceof Fault)) throw error;
    if (error.code === faults.SHUTTING_DOWN.kind.code) {
      throw databaseFaults.SERVICE_UNAVAILABLE({ why: error.message }, {}, { cause: error });
    }
    throw closed.has(error.code) ? toFault({ why: error.message }, {}, { cause: error }) : error;
  };
