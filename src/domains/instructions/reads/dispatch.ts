import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { nearestNames } from '#kernel/text/edit-distance.ts';
import { toRpcError } from '#kernel/tool/fault-forms.ts';
import type { Outcome } from '#kernel/tool/invoke.ts';
import { toListedName } from '#kernel/tool/names.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { ReadsDeps } from './reads-deps.ts';

const family = 'instructions/';
const dispatcher = 'dispatch';

/** The names after the slash of all `instructions/` tools except dispatch. */
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

/** Forwards to the tool of that name, which checks arguments, scope and gate. */
export function createForwardAction(cards: ReadsDeps['cards']): ForwardAction {
  const actions = actionsOf(cards);
  // Accepts both spellings of a tool name.
  const byName = new Map(actions.flatMap((action) => [action, toListedName(action)].map((name) => [name, action])));

  return async ({ action: given, ...args }, call, keySuffix) => {
    if (typeof given !== 'string' || given.trim() === '') {
      throw faults.INVALID_PARAMS(
        { why: 'action is missing' },
        {
          reason: 'missing_action',
          method: `${family}${dispatcher}`,
          supportedActions: actions,
          fix: 'Add an action of supportedActions. Example: {"action": "list", "limit": 10}',
        },
      );
    }
    const action = byName.get(given);
    if (action === undefined) {
      const shownAction = given.slice(0, 100);
      const near = nearestNames(shownAction, actions, 3).join(', ');
      throw faults.METHOD_NOT_FOUND(
        { method: `${family}${dispatcher} ${shownAction}` },
        {
          action: shownAction,
          reason: 'unknown_action',
          supportedActions: actions,
          fix: `${near === '' ? '' : `The nearest actions are ${near}. `}supportedActions lists all.`,
        },
      );
    }
    // The action omits the items by default, unlike the tool.
    const withDefaults = action === 'governanceHash' ? { includeItems: false, ...args } : args;
    return call.forward(`${family}${action}`, withDefaults, { keySuffix });
  };
}

type Operation = Readonly<Record<string, unknown>>;
type OperationResult = Readonly<Record<string, unknown>>;

const toError = (fault: Fault): OperationResult => ({ error: toRpcError(fault, 'legacy') });

/** In sequence, so that each action sees the writes of those before it. A failure does not stop the rest. */
export async function runBatch(forwardAction: ForwardAction, operations: readonly Operation[], call: ToolCall) {
  const results: OperationResult[] = [];
  let leftBytes: number = instructionLimits.batchAnswerBytes;

  /** All results share one answer. The result of a write is never dropped, because the write was done. */
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
