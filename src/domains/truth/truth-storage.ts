import type { Call } from '#kernel/call.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { databaseFaults, throwDatabaseFault } from '#kernel/storage/database-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';

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
const deleting: ReadonlySet<string> = new Set([
  'delete_record',
  'delete_relationship',
  'remove_capability',
  'forget_entity',
  'forget_source',
]);

function writeFailed({ tool }: Call) {
  if (updating.has(tool)) return databaseFaults.DB_UPDATE_FAILED;
  return deleting.has(tool) ? databaseFaults.DB_DELETE_FAILED : databaseFaults.DB_INSERT_FAILED;
}

/** Every write of truth takes it, so there is one writer per tenant and no other lock is needed. */
const truthLock = 'truth';

/**
 * The document defines its own fault codes for a failing store (section 5.2). A write gets its time after the lock: the
 * recording times of a tenant are in commit order, so no later commit changes what was known at a time.
 */
export const toTruthStorage = (storage: Storage): Storage => ({
  ...storage,
  read: (call, work) => storage.read(call, work).catch(throwDatabaseFault(databaseFaults.DB_QUERY_FAILED)),
  write: (call, work) =>
    storage
      .write(call, function* (db) {
        yield* db.lock(truthLock);
        yield* db.catchUp();
        return yield* work(db);
      })
      .catch(throwDatabaseFault(writeFailed(call))),
  flush: (call) => storage.flush(call).catch(throwDatabaseFault(writeFailed(call))),
});

/** The question fails, not a write of it. */
function failQuestion(error: unknown): never {
  const cause = error instanceof Fault && error.cause instanceof Fault ? error.cause : error;
  return throwDatabaseFault(databaseFaults.DB_QUERY_FAILED)(cause);
}

/**
 * Resolves when no write can change any more what was known at that time. A write that has its recording time may still
 * be in its commit, and one that comes later may have a clock that is behind: it gets a later time.
 */
export const settle = (storage: Storage, { idempotencyKey: _key, ...call }: Call, knownAt: number): Promise<void> =>
  storage.write({ ...call, audit: 'none' }, (db) => db.catchUp(Math.min(knownAt, db.now) + 1)).catch(failQuestion);
