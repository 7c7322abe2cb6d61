import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { Change, Step, Work, Writer } from './port.ts';
import type { Sql } from './sql.ts';

export type OpKind = 'get' | 'all' | 'run' | 'send' | 'lock';

export interface Op {
  readonly kind: OpKind;
  readonly query: Sql;
  /** For `lock`: the name that is locked. */
  readonly name?: string;
}

/** A statement that waits to be yielded. */
class PendingStep<T> implements Step<T> {
  readonly op: Op;

  constructor(op: Op) {
    this.op = op;
  }

  *[Symbol.iterator](): Work<T> {
    return (yield this) as T;
  }
}

export type PendingChange = Omit<Change, 'seq'>;

/** The handle of one transaction, with what the adapter must know when the work is over. */
export interface Handle extends Writer {
  readonly changes: readonly PendingChange[];
  /** False in a read: the adapter refuses every statement that writes. */
  readonly mayWrite: boolean;
  /** Rows changed so far by the work itself; kept by the adapter. */
  changedRows: number;
  /** A write whose answer nobody waits for: it may travel together with the commit, and fails it when it fails. */
  send(query: Sql): Step<void>;
  /** Throws when a statement was made and never yielded: it would silently not have run. */
  finish(): void;
  /** The op of a yielded step; throws when the step is not of this transaction or there are too many. */
  take(step: Step<unknown>): Op;
}

const noQuery: Sql = { parts: [''], args: [] };

/** What a transaction must know of its call. */
export type Asker = Pick<Call, 'tenant' | 'tool'>;

export function createHandle(call: Asker, now: number, mode: 'read' | 'write'): Handle {
  const made = new Set<PendingStep<unknown>>();
  const changes: PendingChange[] = [];
  const untold = new Set<PendingChange>();
  let takenCount = 0;

  function step<T>(op: Op): Step<T> {
    const pending = new PendingStep<T>(op);
    made.add(pending);
    return pending;
  }

  return {
    tenant: call.tenant,
    now,
    changes,
    mayWrite: mode === 'write',
    changedRows: 0,
    get: (query) => step({ kind: 'get', query }),
    all: (query) => step({ kind: 'all', query }),
    run: (query) => step({ kind: 'run', query }),
    send: (query) => step({ kind: 'send', query }),
    lock: (name) => step({ kind: 'lock', query: noQuery, name }),
    changed(topic, id, what, hash) {
      const change = { topic, id, what, hash };
      untold.add(change);
      return {
        // Written at the end of the transaction, so that the audit head is locked as briefly as can be: no trip here.
        // biome-ignore lint/correctness/useYield: a Step is iterated; this one has nothing to ask the store.
        *[Symbol.iterator]() {
          untold.delete(change);
          changes.push(change);
        },
      };
    },
    take(yielded) {
      if (!(yielded instanceof PendingStep) || !made.delete(yielded)) {
        throw new Error('bug: a step of another transaction, or one taken twice, was yielded');
      }
      takenCount += 1;
      if (takenCount > limits.writeStatementsCount) {
        throw new Error(
          `bug: ${call.tool} runs more than ${limits.writeStatementsCount} statements in one transaction`,
        );
      }
      return yielded.op;
    },
    finish() {
      if (untold.size > 0) throw new Error(`bug: ${call.tool} made a change and never yielded it`);
      const [forgotten] = made;
      if (forgotten !== undefined) {
        throw new Error(`bug: a statement was made and never yielded: ${forgotten.op.query.parts.join('?')}`);
      }
    },
  };
}
