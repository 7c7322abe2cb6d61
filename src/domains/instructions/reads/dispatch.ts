import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { toListedName } from '#kernel/tool/names.ts';
import { toRpcError } from '#kernel/tool/print-fault.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { ReadsDeps } from './reads-deps.ts';

const family = 'instructions/';
const dispatcher = 'dispatch';

/** Every tool of the family but the one that calls them, by the name after the slash. */
export const actionsOf = (cards: ReadsDeps['cards']): readonly string[] =>
  cards
    .map(({ name }) => name)
    .filter((name) => name.startsWith(family))
    .map((name) => name.slice(family.length))
    .filter((action) => action !== dispatcher)
    .sort();

export type ForwardAction = (
  params: Readonly<Record<string, unknown>>,
  call: ToolCall,
  keySuffix?: string,
) => ReturnType<ToolCall['forward']>;

/** An action is the tool of its name: that tool checks the arguments, the scope and the gate. */
export function createForwardAction(cards: ReadsDeps['cards']): ForwardAction {
  const actions = actionsOf(cards);
  // Both spellings that the tool itself answers to.
  const byName = new Map(actions.flatMap((action) => [action, toListedName(action)].map((name) => [name, action])));

  return async ({ action: given, ...args }, call, keySuffix) => {
    if (typeof given !== 'string' || given.trim() === '') {
      throw faults.INVALID_PARAMS(
        { why: 'action is missing' },
        { reason: 'missing_action', method: `${family}${dispatcher}`, supportedActions: actions },
      );
    }
    const action = byName.get(given);
    if (action === undefined) {
      const shownAction = given.slice(0, 100);
      throw faults.METHOD_NOT_FOUND(
        { method: `${family}${dispatcher} ${shownAction}` },
        { action: shownAction, reason: 'unknown_action', supportedActions: actions },
      );
    }
    // The stable tool shows its items by default, the action only when asked (RULINGS R3).
    const withDefaults = action === 'governanceHash' ? { includeItems: false, ...args } : args;
    return call.forward(`${family}${action}`, withDefaults, keySuffix);
  };
}

type Operation = Readonly<Record<string, unknown>>;
type OperationResult = Readonly<Record<string, unknown>>;

export interface BatchResult {
  /** In order: the bare result of each action, or `{ error }`. */
  readonly results: readonly OperationResult[];
}

const toError = (fault: Fault): OperationResult => ({ error: toRpcError(fault, 'legacy') });

/** One after the other, so that each sees what those before it wrote; what fails hurts no other. */
export async function runBatch(
  forwardAction: ForwardAction,
  operations: readonly Operation[],
  call: ToolCall,
): Promise<BatchResult> {
  const results: OperationResult[] = [];
  let leftBytes: number = instructionLimits.batchAnswerBytes;

  /** All results share one answer. That of a write stands for something that was done: it is never left out. */
  function toResult(outcome: Outcome): OperationResult {
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
