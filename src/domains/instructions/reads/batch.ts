import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { toRpcError } from '#kernel/tool/print-fault.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { ForwardAction } from './actions.ts';

type Operation = Readonly<Record<string, unknown>>;
type Result = Readonly<Record<string, unknown>>;

export interface Batched {
  /** In order: the bare result of each action, or `{ error }`. */
  readonly results: readonly Result[];
}

const toError = (fault: Fault): Result => ({ error: toRpcError(fault, 'legacy') });

/** One after the other, so that each sees what those before it wrote; what fails hurts no other. */
export async function runBatch(
  forwardAction: ForwardAction,
  operations: readonly Operation[],
  call: ToolCall,
): Promise<Batched> {
  const results: Result[] = [];
  let leftBytes: number = instructionLimits.batchAnswerBytes;

  /** All results share one answer. That of a write stands for something that was done: it is never left out. */
  function toResult(outcome: Outcome): Result {
    if (!outcome.ok) return toError(outcome.fault);
    const bytes = Buffer.byteLength(outcome.text);
    if (bytes > leftBytes && outcome.card.effect === 'read') {
      return toError(faults.ANSWER_TOO_LARGE({ bytes, limit: Math.max(0, leftBytes) }));
    }
    leftBytes -= bytes;
    return { ...outcome.value };
  }

  for (const [i, operation] of operations.entries()) {
    try {
      const { outcome } = await forwardAction(operation, call, `/${i}`);
      results.push(toResult(outcome));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      results.push(toError(error));
    }
  }
  return { results };
}
