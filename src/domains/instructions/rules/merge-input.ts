import type { InstructionEntry, InstructionInput } from '../entry-model.ts';

/** What the incoming entry says wins; what it leaves out stays as it is (import mode `merge`). */
export function mergeInput(existing: InstructionEntry, input: InstructionInput): InstructionInput {
  const said = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  // The time of the stored state is not a statement about the merged one.
  const { updatedAt: _updatedAt, ...kept } = existing;
  return { ...kept, ...said, id: input.id, body: input.body };
}
