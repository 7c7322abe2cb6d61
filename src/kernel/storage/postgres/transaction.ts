import type { Call, TenantId } from '../../call.ts';
import { faults } from '../../fault/kernel-faults.ts';
import type { Step } from '../port.ts';
import type { Handle, Op } from '../transaction-handle.ts';
import type { Connection, QueryResult, Rows } from './connection.ts';
import { isRolledBack } from './errors.ts';
import type { Query } from './render.ts';
import { migrationLock, tenantSetting } from './schema.ts';
import type { TransactionDeadline } from './transaction-deadline.ts';

/**
 * One transaction on a pooled connection. Its opening statements travel together with the first statement of the work.
 */
export interface Transaction {
  execute(op: Op, handle: Handle): Promise<unknown>;
  savepoint(): void;
  rollBackToSavepoint(): void;
  /** Rejects with OUTCOME_UNKNOWN if the connection breaks before the reply to COMMIT. */
  commit(): Promise<void>;
  /** Ends a read without waiting for the reply. */
  finish(): void;
  rollBack(): Promise<void>;
}

export interface TransactionDeps {
  readonly connection: Connection;
  readonly deadline: TransactionDeadline;
  readonly tenant: TenantId;
  readonly render: (query: Op['query']) => Query;
  readonly role: string;
  readonly schemaVersion: number;
  readonly commitGraceMs: number;
  readonly durability?: Call['durability'];
}

const openRead = 'begin isolation level repeatable read read only';
// Explicit, because work that relies on a lock must see what was committed before the lock was granted.
const openWrite = 'begin isolation level read committed read write';
const openSoon = `${openWrite}; set local synchronous_commit to off`;

const enterRead = (tenant: TenantId): Query => ({
  name: 'enter_read',
  text: `select set_config('${tenantSetting}', $1, true), current_user as role`,
  values: [tenant],
});

const enterWrite = (tenant: TenantId): Query => ({
  name: 'enter_write',
  text: `select set_config('${tenantSetting}', $1, true), current_user as role, pg_advisory_xact_lock_shared(${migrationLock})`,
  values: [tenant],
});

/** A separate statement: it must see what a migration committed while we waited for the lock above. */
const readVersion: Query = { name: 'read_version', text: 'select max(id) as id from migrations', values: [] };

const lockName = (tenant: TenantId, name: string): Query => ({
  name: 'lock_name',
  text: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
  values: [`${tenant}\u001f${name}`],
});

const writing: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

export function openTransaction(mode: 'read' | 'write', deps: TransactionDeps): Transaction {
  const { connection, deadline, tenant, render } = deps;
  /** Queries sent without waiting. They must succeed before anything is answered. */
  let unanswered: Promise<unknown>[] = [];
  let isEntered = false;
  let isCommitting = false;
  let grace: NodeJS.Timeout | undefined;

  deadline.onFailure(() => {
    if (!isCommitting) connection.kill();
    else grace = setTimeout(() => connection.kill(), deps.commitGraceMs);
  });

  function send(query: Query | string, check?: (row: Rows[number] | undefined) => void): void {
    const answer = connection.query(query);
    const checked = check === undefined ? answer : answer.then(({ rows }) => check(rows[0]));
    checked.catch(() => {});
    unanswered.push(checked);
  }

  /** The first failure is the cause. The ones after it only say that the transaction was aborted. */
  async function settle(): Promise<void> {
    const waiting = unanswered;
    unanswered = [];
    for (const answer of waiting) await answer;
    isEntered = true;
  }

  async function ask(query: Query): Promise<QueryResult> {
    const answer = connection.query(query);
    try {
      if (unanswered.length > 0) {
        answer.catch(() => {});
        await settle();
      }
      return await answer;
    } catch (error) {
      throw deadline.failure ?? error;
    }
  }

  function checkRole(row: Rows[number] | undefined): void {
    if (row?.['role'] === deps.role) return;
    throw faults.STORE_UNAVAILABLE({
      why: 'a connection lost its role, probably to a pooler in transaction mode: use session mode or connect to the server',
    });
  }

  function checkVersion(row: Rows[number] | undefined): void {
    const found = Number(row?.['id'] ?? 0);
    if (found !== deps.schemaVersion) throw faults.STORE_NEWER({ found, known: deps.schemaVersion });
  }

  if (mode === 'read') send(openRead);
  else send(deps.durability === 'soon' ? openSoon : openWrite);
  send(mode === 'read' ? enterRead(tenant) : enterWrite(tenant), checkRole);
  if (mode === 'write') send(readVersion, checkVersion);

  return {
    async execute(op, handle) {
      if (op.kind === 'lock') return void (await ask(lockName(tenant, op.name ?? '')));
      const query = render(op.query);
      if (op.kind === 'send') return send(query);
      const { rows, rowCount, command } = await ask(query);
      const count = rowCount ?? 0;
      if (writing.has(command)) handle.changedRows += count;
      if (op.kind === 'run') return writing.has(command) ? count : 0;
      return op.kind === 'get' ? rows[0] : rows;
    },
    savepoint: () => send('savepoint rehearsal'),
    rollBackToSavepoint: () => send('rollback to savepoint rehearsal; release savepoint rehearsal'),
    async commit() {
      if (!isEntered) await settle();
      if (deadline.failure !== undefined) throw deadline.failure;
      if (!connection.isAlive) throw faults.STORE_UNAVAILABLE({ why: 'the connection was lost' });
      isCommitting = true;
      const committed = connection.query('commit');
      committed.catch(() => {});
      const failure = await settle().then(
        () => new Error('bug: the server rolled back and gave no reason'),
        (error: unknown) => error,
      );
      try {
        if ((await committed).command === 'COMMIT') return;
      } catch (error) {
        throw isRolledBack(error) ? error : faults.OUTCOME_UNKNOWN(undefined, {}, { cause: error });
      } finally {
        clearTimeout(grace);
      }
      throw failure;
    },
    finish: () => connection.send('commit'),
    async rollBack() {
      if (!connection.isAlive) return;
      await connection.query('rollback').catch(() => connection.kill());
    },
  };
}

/** Runs the generator of a transaction to its end, with one round trip per step. */
export async function runWork<T>(transaction: Transaction, handle: Handle, step: Step<T>): Promise<T> {
  const work = step[Symbol.iterator]();
  let turn = work.next();
  while (!turn.done) turn = work.next(await transaction.execute(handle.take(turn.value), handle));
  handle.finish();
  return turn.value;
}
