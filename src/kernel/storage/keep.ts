import { appendAudit } from '../audit/append.ts';
import type { Call } from '../call.ts';
import { faults } from '../fault/kernel-faults.ts';
import type { Work, Writer } from './port.ts';
import { sql } from './sql.ts';
import type { Handle } from './steps.ts';

interface KeyRow {
  readonly request_hash: string;
  readonly answer: string;
}

const findKey = (db: Writer, key: string) =>
  db.get(sql<KeyRow>`select request_hash, answer from idempotency where tenant = ${db.tenant} and key = ${key}`);

const insertKey = (db: Handle, key: string, requestHash: string, answer: string) =>
  db.send(sql`
    insert into idempotency (tenant, key, request_hash, answer, at)
    values (${db.tenant}, ${key}, ${requestHash}, ${answer}, ${db.now})`);

/** A call may write more than once; each of its writes has a key of its own, by order. */
export interface KeyedWrite {
  readonly key: string;
  readonly requestHash: string;
}

export const toKeyedWrite = (call: Call, ordinal: number): KeyedWrite | undefined =>
  call.idempotencyKey === undefined || call.requestHash === undefined
    ? undefined
    : { key: `${call.actor}\u001f${call.idempotencyKey}\u001f${ordinal}`, requestHash: call.requestHash };

/** Counts the writes of each call, so that a repeated call meets its own keys in the same order. */
export function createWriteCounter(): (call: Call) => number {
  const counts = new WeakMap<Call, number>();
  return (call) => {
    const ordinal = counts.get(call) ?? 0;
    counts.set(call, ordinal + 1);
    return ordinal;
  };
}

/** What surrounds every write on every engine: first the idempotency key, last the audit rows. */
export function* keep<T>(
  db: Handle,
  call: Call,
  keyed: KeyedWrite | undefined,
  auditKey: Uint8Array,
  work: (db: Writer) => Work<T>,
): Work<T> {
  if (keyed !== undefined) {
    yield* db.lock(`idempotency:${keyed.key}`);
    const known = yield* findKey(db, keyed.key);
    if (known !== undefined) {
      if (known.request_hash !== keyed.requestHash) throw faults.IDEMPOTENCY_CONFLICT();
      return (known.answer === '' ? undefined : JSON.parse(known.answer)) as T;
    }
  }
  const value = yield* work(db);
  if (db.changes.length === 0 && db.changedRows > 0 && call.audit === 'row') {
    throw new Error(`bug: ${call.tool} wrote and told nobody: yield* db.changed(…), or declare audit: 'none'`);
  }
  if (keyed !== undefined) yield* insertKey(db, keyed.key, keyed.requestHash, JSON.stringify(value) ?? '');
  yield* appendAudit(db, call, auditKey, db.changes);
  return value;
}
