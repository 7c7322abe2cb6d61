import type { Call } from '#kernel/call.ts';
import { knownAnswer } from '#kernel/storage/idempotency.ts';
import type { Storage } from '#kernel/storage/port.ts';

export type Idempotency = ReturnType<typeof createIdempotency>;

/** A call for one step of a request: its key does not depend on the other steps. */
export function withStepKey(call: Call, step: string): Call {
  const { idempotencyKey } = call;
  // Client keys contain no control characters.
  return idempotencyKey === undefined ? call : { ...call, idempotencyKey: `${idempotencyKey}\u001f${step}` };
}

const isKeyed = (call: Call): boolean => call.idempotencyKey !== undefined && call.requestHash !== undefined;

/**
 * Repeated requests under one idempotency key. The store remembers the result of a single transaction; a tool may need
 * several, and the first attempt may have changed the catalog. So the answer is saved, too, and looked up first.
 */
export function createIdempotency(storage: Pick<Storage, 'read' | 'write'>) {
  /** Requests in progress in this process: a repetition waits for the first. */
  const underWay = new Map<string, Promise<unknown>>();

  const remember = <T>(call: Call, step: string, value: T): Promise<T> =>
    // biome-ignore lint/correctness/useYield: saves the value under the key and writes nothing else.
    storage.write({ ...withStepKey(call, step), audit: 'none' }, function* () {
      return value;
    });

  const recall = (call: Call, step: string) => knownAnswer(storage, withStepKey(call, step));

  async function answerOnce<T>(call: Call, work: () => Promise<T>, isKept: (answer: T) => boolean): Promise<T> {
    const known = await recall(call, 'answer');
    if (known !== undefined) return known.value as T;
    const answer = await work();
    if (!isKept(answer)) return answer;
    // The work is done, so its answer counts. Without the saved answer, a repetition finds the steps done, as after a
    // kill.
    return remember(call, 'answer', answer).catch(() => answer);
  }

  return {
    /**
     * Returns the saved answer, or that of `work`. An answer that is not `isKept` changed nothing, so the key stays free.
     */
    async answerOnce<T>(call: Call, work: () => Promise<T>, isKept: (answer: T) => boolean = () => true): Promise<T> {
      if (!isKeyed(call)) return work();
      const name = JSON.stringify([call.tenant, call.idempotencyKey]);
      const mine = (underWay.get(name) ?? Promise.resolve())
        .catch(() => {})
        .then(() => answerOnce(call, work, isKept))
        .finally(() => {
          if (underWay.get(name) === mine) underWay.delete(name);
        });
      underWay.set(name, mine);
      return mine;
    },
    /** Saves the plan before it runs: an interrupted request continues with the plan of its first attempt. */
    savePlan: async <T>(call: Call, plan: T): Promise<T> => (isKeyed(call) ? remember(call, 'plan', plan) : plan),
    /** Whether an earlier attempt committed this step. */
    isDone: async (call: Call, step: string): Promise<boolean> =>
      isKeyed(call) && (await recall(call, step)) !== undefined,
  };
}
