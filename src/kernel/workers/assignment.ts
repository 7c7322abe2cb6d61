import type { TenantId } from '../call.ts';

interface Promised {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** One job on its way through the pool. */
export interface Assignment {
  readonly task: string;
  readonly input: unknown;
  readonly tenant: TenantId;
  readonly wallMs: number;
  readonly what: string;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** Listens to the caller's signal for as long as the job is under way, and no longer. */
export function createAssignment(
  facts: Omit<Assignment, keyof Promised>,
  promised: Promised,
  signal: AbortSignal | undefined,
  withdraw: (assignment: Assignment) => void,
): Assignment {
  const onAbort = () => withdraw(assignment);
  const assignment: Assignment = {
    ...facts,
    resolve(value) {
      signal?.removeEventListener('abort', onAbort);
      promised.resolve(value);
    },
    reject(error) {
      signal?.removeEventListener('abort', onAbort);
      promised.reject(error);
    },
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  return assignment;
}
