import { faults } from '#kernel/fault/kernel-faults.ts';
import { toListedName } from '#kernel/tool/names.ts';
import type { ToolCall } from '#kernel/tool/tool.ts';
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
