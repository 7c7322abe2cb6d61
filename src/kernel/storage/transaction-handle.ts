import type { Call } from '../call.ts';
import { limits } from '../limits.ts';
import type { Change, Step, Work, Writer } from './port.ts';
import { hasValues, type Sql, splitValues, sql } from './sql.ts';

export type OpKind = 'get' | 'all' | 'run' | 'send' | 'lock';

export interface Op {
  readonly kind: OpKind;
  readonly query: Sql;
  /** For `lock` only. */
  readonly name?: string;
}

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

/** The handle of one transaction, with the facts that the engine needs when the work is over. */
export interface Handle extends Writer {
  readonly changes: readonly PendingChange[];
  /** False in a read: the engine then rejects every statement that writes. */
  readonly mayWrite: boolean;
  /** Rows changed so far by the work itself. The engine counts them. */
  changedRows: number;
  /** True if the commit stores a change, or if an earlier request under the same idempotency key stored it. */
  hasEffect: boolean;
  /** A write without a result. It may travel together with the commit, and fails the commit if it fails. */
  send(query: Sql): Step<void>;
  /** Throws if a statement was created and never yielded: it would silently not have run. */
  finish(): void;
  /**
   * Returns the operation of a yielded step. Throws if the step belongs to another transaction or there are too many.
   */
  take(step: Step<unknown>): Op;
}

const textOf = ({ parts }: Sql): string => parts.join('?');
const noQuery: Sql = { parts: [''], args: [] };

export type TransactionCall = Pick<Call, 'tenant' | 'tool'>;

interface HeadTimes {
  readonly at: number;
  readonly forgotten_at: number;
}

/** When the tenant last changed anything, and when it last forgot something. */
const lastChange: (tenant: string) => Sql = (tenant) =>
  sql`select at, forgotten_at from audit_heads where tenant = ${tenant}`;

const raiseHead = (tenant: string, at: number): Sql =>
  sql`update audit_heads set at = ${at} where tenant = ${tenant} and at < ${at}`;

export function createHandle(call: TransactionCall, clock: () => number, mode: 'read' | 'write'): Handle {
  let now = clock();
  let forgottenAt = 0;
  const pendingSteps = new Set<PendingStep<unknown>>();
  const changes: PendingChange[] = [];
  /** Composite steps that were created and not yielded yet. Each returns a text for the error message. */
  const unyielded = new Set<() => string>();
  let takenCount = 0;

  function step<T>(op: Op): Step<T> {
    const pending = new PendingStep<T>(op);
    pendingSteps.add(pending);
    return pending;
  }

  /** A step that consists of other steps, or of none. */
  function compositeStep<T>(describe: () => string, work: () => Work<T>): Step<T> {
    const entry = () => describe();
    unyielded.add(entry);
    return {
      [Symbol.iterator]() {
        if (!unyielded.delete(entry)) throw new Error(`bug: ${call.tool} yielded twice: ${describe()}`);
        return work();
      },
    };
  }

  /** One statement, or several if the rows of its `values` need them. */
  const splitStep = <T>(kind: OpKind, query: Sql, combine: (answers: readonly T[]) => T): Step<T> =>
    hasValues(query)
      ? compositeStep(
          () => textOf(query),
          function* () {
            const answers: T[] = [];
            for (const part of splitValues(query)) answers.push(yield* step<T>({ kind, query: part }));
            return answers.length === 1 ? answers[0]! : combine(answers);
          },
        )
      : step({ kind, query });

  return {
    tenant: call.tenant,
    get now() {
      return now;
    },
    get forgottenAt() {
      return forgottenAt;
    },
    changes,
    mayWrite: mode === 'write',
    changedRows: 0,
    hasEffect: false,
    get(query) {
      if (hasValues(query)) throw new Error(`bug: values() needs run or all: ${textOf(query)}`);
      return step({ kind: 'get', query });
    },
    all: <Row>(query: Sql<Row>) => splitStep<readonly Row[]>('all', query, (answers) => answers.flat()),
    run: (query) => splitStep<number>('run', query, (counts) => counts.reduce((sum, count) => sum + count, 0)),
    send: (query) => splitStep<void>('send', query, () => {}),
    lock: (name) => step({ kind: 'lock', query: noQuery, name }),
    catchUp: (notBefore = 0) =>
      compositeStep(
        () => 'the clock',
        function* () {
          const head = yield* step<HeadTimes | undefined>({
            kind: 'get',
            query: lastChange(call.tenant),
          });
          now = Math.max(clock(), head?.at ?? 0, notBefore);
          forgottenAt = head?.forgotten_at ?? 0;
          // A tenant without a head has never changed anything.
          if (head !== undefined && head.at < notBefore) {
            yield* step<number>({ kind: 'run', query: raiseHead(call.tenant, notBefore) });
          }
        },
      ),
    // Written at the end of the transaction, so that the audit head is locked as briefly as possible.
    changed: (topic, id, what, hash) =>
      compositeStep(
        () => `the change of ${topic} ${id}`,
        // biome-ignore lint/correctness/useYield: there is nothing to ask the store.
        function* () {
          changes.push({ topic, id, what, hash });
        },
      ),
    take(yielded) {
      if (!(yielded instanceof PendingStep) || !pendingSteps.delete(yielded)) {
        throw new Error('bug: yielded a step twice, or one of another transaction');
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
      const [pending] = pendingSteps;
      const [describe] = pending === undefined ? unyielded : [() => textOf(pending.op.query)];
      if (describe !== undefined) throw new Error(`bug: ${call.tool} never yielded: ${describe()}`);
    },
  };
}
