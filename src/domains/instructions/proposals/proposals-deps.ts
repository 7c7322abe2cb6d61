import type { Call } from '#kernel/call.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Storage } from '#kernel/storage/port.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { cycleFault, prepareEntry, rejectionFault } from '../writes/prepare-entry.ts';
import type { WritesDeps } from '../writes/writes-deps.ts';

export interface ProposalsDeps extends WritesDeps {
  readonly storage: Pick<Storage, 'read' | 'write'>;
}

/** The entry that a proposal is about; undefined if there is none. */
export async function lookUpEntry(
  { catalog }: ProposalsDeps,
  call: Call,
  id: string,
): Promise<CatalogEntry | undefined> {
  const { found, problem } = await catalog.lookUp(call, id);
  if (problem === undefined) return found;
  throw faults.VALIDATION_ERROR({ why: `unreadable file: ${problem.file}: ${problem.problem}` }, { id });
}

/** The entry as `add` would store it, with the same checks. `isReplaced` drops the fields that are not given. */
export async function prepareChecked(
  deps: ProposalsDeps,
  call: Call,
  input: InstructionInput,
  existing: InstructionEntry | undefined,
  isReplaced = false,
): Promise<InstructionEntry> {
  const [owners, state] = await Promise.all([deps.owners(call, [input.id]), deps.catalog.state(call)]);
  const find = (id: string) => state.find(id)?.entry;
  const draft = { input, existing, isReplaced, owners, find, isValidated: true };
  const { entry, rejection, cycle } = prepareEntry(deps, draft);
  if (rejection !== undefined) throw rejectionFault(rejection);
  if (cycle !== undefined) throw cycleFault(cycle);
  if (entry === undefined) throw new Error('bug: neither an entry nor a reason');
  return entry;
}
