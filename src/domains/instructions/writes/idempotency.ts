import type { Call } from '#kernel/call.ts';
import { knownAnswer } from '#kernel/storage/idempotency.ts';
import type { Storage } from '#kernel/storage/port.ts';

/**
 * A request that is sent again under its idempotency key. The store keeps what a single transaction answered; what a tool
 * answers stands on more than one, and on a catalog that the first attempt has changed. So the answer is kept as well,
 * and is looked for before anything else is.
 */
export interface Idempotency {
  /** The answer of the first time, or what `work` answers now. An answer that is not `isKept` changed nothing: the key stays free. */
  answerOnce<T>(call: Call, work: () => Promise<T>, isKept?: (answer: T) => boolean): Promise<T>;
  /** What is to be done, kept before it is: a request that was cut off goes on with what was settled the first time. */
  savePlan<T>(call: Call, plan: T): Promise<T>;
  /** Whether the transaction of this step was committed by an earlier attempt. */
  isDone(call: Call, step: string): Promise<boolean>;
}

/** The call for one step of a request: it has the same key whatever other steps the request takes this time. */
export function withStepKey(call: Call, step: string): Call {
  const { idempotencyKey } = call;
  // No key of a client holds a control character.
  return idempotencyKey === undefined ? call : { ...call, idempotencyKey: `${idempotencyKey}\u001f${step}` };
}

/** The call for changes that a repeated request decides anew, from what it finds. */
export function withoutKey(call: Call): Call {
  const { idempotencyKey, requestHash, ...rest } = call;
  return rest;
}

const isKeyed = (call: Call): boolean => call.idempotencyKey !== undefined && call.requestHash !== undefined;

export function createIdempotency(storage: Pick<Storage, 'read' | 'write'>): Idempotency {
  /** Requests that this process is working on: one that is sent again meanwhile waits for the first. */
  const underWay = new Map<string, Promise<unknown>>();

  const remember = <T>(call: Call, step: string, value: T): Promise<T> =>
    // biome-ignore lint/correctness/useYield: the value is kept with the key; there is nothing else to write.
    storage.write({ ...withStepKey(call, step), audit: 'none' }, function* () {
      return value;
    });

  const recall = (call: Call, step: string) => knownAnswer(storage, withStepKey(call, step));

  async function answerOnce<T>(call: Call, work: () => Promise<T>, isKept: (answer: T) => boolean): Promise<T> {
    const known = await recall(call, 'answer');
    if (known !== undefined) return known.value as T;
    const answer = await work();
    return isKept(answer) ? remember(call, 'answer', answer) : answer;
  }

  return {
    async answerOnce(call, work, isKept = () => true) {
      if (!isKeyed(call)) return work();
      const name = JSON.stringify([call.tenant, call.actor, call.idempotencyKey]);
      const mine = (underWay.get(name) ?? Promise.resolve())
        .catch(() => {})
        .then(() => answerOnce(call, work, isKept))
        .finally(() => {
          if (underWay.get(name) === mine) underWay.delete(name);
        });
      underWay.set(name, mine);
      return mine;
    },
    savePlan: async (call, plan) => (isKeyed(call) ? remember(call, 'plan', plan) : plan),
    isDone: async (call, step) => isKeyed(call) && (await recall(call, step)) !== undefined,
  };
}
