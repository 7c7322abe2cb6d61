import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import { truthFaults } from './truth-faults.ts';

/** All other writing tools insert. */
const updating: ReadonlySet<string> = new Set([
  'update_record',
  'restore_record',
  'restore_relationship',
  'correct_entity',
  'retract_statement',
  'accept_contradiction',
  'merge_entities',
  'unmerge_entities',
  'activate_entity_schema',
]);
const deleting: ReadonlySet<string> = new Set(['delete_record', 'delete_relationship', 'remove_capability']);

function writeFailed({ tool }: Call) {
  if (updating.has(tool)) return truthFaults.DB_UPDATE_FAILED;
  return deleting.has(tool) ? truthFaults.DB_DELETE_FAILED : truthFaults.DB_INSERT_FAILED;
}

const closed: ReadonlySet<string> = new Set([faults.STORE_UNAVAILABLE.kind.code, faults.STORE_BUSY.kind.code]);

type Failed = typeof truthFaults.DB_QUERY_FAILED;

function translateFaults(failed: Failed) {
  return (error: unknown): never => {
    if (!(error instanceof Fault)) throw error;
    if (error.code === faults.SHUTTING_DOWN.kind.code) {
      throw truthFaults.SERVICE_UNAVAILABLE({ why: error.message }, {}, { cause: error });
    }
    throw closed.has(error.code) ? failed({ why: error.message }, {}, { cause: error }) : error;
  };
}

/** Every write of truth takes it, so there is one writer per tenant and no other lock is needed. */
const truthLock = 'truth';

/**
 * The document defines its own fault codes for a failing store (section 5.2). A write gets its time after the lock: the
 * recording times of a tenant are in commit order, so no later commit changes what was known at a time.
 */
export const toTruthStorage = (storage: Storage): Storage => ({
  ...storage,
  read: (call, work) => storage.read(call, work).catch(translateFaults(truthFaults.DB_QUERY_FAILED)),
  write: (call, work) =>
    storage
      .write(call, function* (db) {
        yield* db.lock(truthLock);
        yield* db.catchUp();
        return yield* work(db);
      })
      .catch(translateFaults(writeFailed(call))),
  flush: (call) => storage.flush(call).catch(translateFaults(writeFailed(call))),
});

/** The question fails, not a write of it. */
function failQuestion(error: unknown): never {
  const cause = error instanceof Fault && error.cause instanceof Fault ? error.cause : error;
  return translateFaults(truthFaults.DB_QUERY_FAILED)(cause);
}

/**
 * Resolves when no write can change any more what was known at that time. A write that has its recording time may still
 * be in its commit, and one that comes later may have a clock that is behind: it gets a later time.
 */
export const settle = (storage: Storage, { idempotencyKey: _key, ...call }: Call, knownAt: number): Promise<void> =>
  storage.write({ ...call, audit: 'none' }, (db) => db.catchUp(Math.min(knownAt, db.now) + 1)).catch(failQuestion);
