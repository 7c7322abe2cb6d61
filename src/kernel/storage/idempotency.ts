import { appendAudit } from '../audit/append.ts';
import type { Call } from '../call.ts';
import { faults } from '../fault/kernel-faults.ts';
import { workOf } from './alongside.ts';
import type { Reader, Step, Storage, Work, Writer } from './port.ts';
import { list, sql } from './sql.ts';
import type { Handle } from './transaction-handle.ts';

interface KeyRow {
  readonly request_hash: string;
  readonly answer: string;
}

/** The key of one write of a call. */
export interface KeyedWrite {
  readonly key: string;
  readonly requestHash: string;
}

/** The answer of an earlier write; `value` is undefined when that write answered nothing. */
export interface KnownAnswer {
  readonly value: unknown;
}

const findKey = (db: Reader, key: string) =>
  db.get(sql<KeyRow>`select request_hash, answer from idempotency where tenant = ${db.tenant} and key = ${key}`);

const insertKey = (db: Handle, { key, requestHash }: KeyedWrite, answer: string) =>
  db.send(sql`
    insert into idempotency (tenant, key, request_hash, answer, at)
    values (${db.tenant}, ${key}, ${requestHash}, ${answer}, ${db.now})`);

/** In place of an answer about something that was forgotten: the request must not run again. */
const forgottenAnswer = '{"forgotten":true}';

const listAnswers = (db: Reader, after: string, limit: number) =>
  db.all(sql<{ readonly key: string; readonly answer: string }>`
    select key, answer from idempotency where tenant = ${db.tenant} and key > ${after} order by key limit ${limit}`);

/** The hash of the request goes too: it is that of what was sent. */
const dropAnswers = (db: Writer, keys: readonly string[]) =>
  db.run(sql`
    update idempotency set request_hash = '', answer = ${forgottenAnswer}
    where tenant = ${db.tenant} and key in ${list(keys)}`);

const answersPageCount = 2_000;

/** A request whose answer is forgotten is FORGOTTEN when it is repeated. Returns how many there are. */
export function* forgetAnswers(db: Writer, isConcerned: (answer: string) => boolean): Work<number> {
  let count = 0;
  for (let after = ''; ; ) {
    const rows = yield* listAnswers(db, after, answersPageCount);
    const keys = rows.filter(({ answer }) => isConcerned(answer)).map(({ key }) => key);
    if (keys.length > 0) count += yield* dropAnswers(db, keys);
    if (rows.length < answersPageCount) return count;
    after = rows.at(-1)!.key;
  }
}

/**
 * `ordinal`: a call may write more than once, and each of its writes has its own key. The actor is not part of it: a client
 * may repeat a request over another surface or with another key of its tenant.
 */
export const toKeyedWrite = (call: Call, ordinal: number): KeyedWrite | undefined =>
  call.idempotencyKey === undefined || call.requestHash === undefined
    ? undefined
    : { key: `${call.idempotencyKey}\u001f${ordinal}`, requestHash: call.requestHash };

/** Counts the writes of each call, so that a repeated call finds its own keys in the same order. */
export function createWriteCounter(): (call: Call) => number {
  const counts = new WeakMap<Call, number>();
  return (call) => {
    const ordinal = counts.get(call) ?? 0;
    counts.set(call, ordinal + 1);
    return ordinal;
  };
}

function* findAnswer(db: Reader, { key, requestHash }: KeyedWrite): Work<KnownAnswer | undefined> {
  const row = yield* findKey(db, key);
  if (row === undefined) return undefined;
  if (row.answer === forgottenAnswer) throw faults.FORGOTTEN({ what: 'What this request wrote' });
  if (row.request_hash !== requestHash) throw faults.IDEMPOTENCY_CONFLICT();
  return { value: row.answer === '' ? undefined : JSON.parse(row.answer) };
}

/** The answer of the first write under the call's idempotency key; undefined when none was committed. */
export async function knownAnswer(storage: Pick<Storage, 'read'>, call: Call): Promise<KnownAnswer | undefined> {
  const keyed = toKeyedWrite(call, 0);
  return keyed === undefined ? undefined : storage.read(call, (db) => findAnswer(db, keyed));
}

/** The work of a write as every engine runs it: first the idempotency key, last the audit rows. */
export function* wrapWrite<T>(
  db: Handle,
  call: Call,
  keyed: KeyedWrite | undefined,
  auditKey: Uint8Array,
  work: (db: Writer) => Step<T>,
): Work<T> {
  if (keyed !== undefined) {
    yield* db.lock(`idempotency:${keyed.key}`);
    const known = yield* findAnswer(db, keyed);
    if (known !== undefined) {
      db.hasEffect = true;
      return known.value as T;
    }
  }
  const value = yield* work(db);
  db.hasEffect = db.changes.length > 0 || db.changedRows > 0;
  if (db.hasEffect && call.alongside !== undefined) yield* workOf(call.alongside)(db, value);
  if (db.changes.length === 0 && db.changedRows > 0 && call.audit === 'row') {
    throw new Error(`bug: ${call.tool} wrote rows without a change: yield* db.changed(…), or declare audit: 'none'`);
  }
  if (keyed !== undefined) yield* insertKey(db, keyed, JSON.stringify(value) ?? '');
  yield* appendAudit(db, call, auditKey, db.changes);
  return value;
}
