import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { CatalogEntry, CatalogState } from '../catalog/catalog.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { normaliseCategories } from '../rules/categories.ts';
import { checkGovernance, checkVersion, type WriteRejection } from '../rules/check-write.ts';
import { type CompleteContext, completeEntry, defaultPriority, unowned } from '../rules/complete-entry.ts';
import { tierOf } from '../rules/derived-fields.ts';
import { type Cycle, type FindEntry, findCycle } from '../rules/entry-graph.ts';
import type { WritesDeps } from './writes-deps.ts';

export const cycleFault = ({ field, ids }: Cycle): Fault =>
  faults.VALIDATION_ERROR(
    { why: `cycle in ${field}: ${ids.slice(0, 20).join(' → ')}` },
    { field, cycle: ids.slice(0, 20) },
  );

export const rejectionFault = ({ error }: WriteRejection): Fault => faults.VALIDATION_ERROR({ why: error });

/**
 * Checks what the catalog serves after the commit. If another process changed the entry meanwhile, its version or time
 * differs and there is nothing to compare.
 */
export function assertReadBack(state: CatalogState, entry: InstructionEntry): void {
  const kept = state.find(entry.id)?.entry;
  if (kept?.version !== entry.version || kept.updatedAt !== entry.updatedAt) return;
  if (kept.sourceHash === entry.sourceHash && kept.governanceHash === entry.governanceHash) return;
  throw faults.INTEGRITY_ERROR({ why: `${entry.id} did not read back as written` }, { id: entry.id });
}

/** Whether writing the entry would change nothing. A wrong hash in the document is corrected. */
export const isUnchanged = (found: CatalogEntry, entry: InstructionEntry): boolean =>
  found.recordedHash === undefined &&
  found.entry.updatedAt === entry.updatedAt &&
  found.entry.sourceHash === entry.sourceHash;

/** Other writers propose their changes. */
export const mayDecide = (call: Call): boolean => call.scopes.has('admin');

export function toCompleteContext(deps: WritesDeps, existing: InstructionEntry | undefined): CompleteContext {
  return {
    now: toIso(deps.clock.now()),
    canonicalOff: deps.canonicalOff,
    ...(existing !== undefined && { existing }),
    ...(deps.agentId !== undefined && { agentId: deps.agentId }),
    ...(deps.workspace !== undefined && { workspace: deps.workspace }),
  };
}

/** Applies owners.json when no owner is given. */
function withDefaultOwner(
  input: InstructionInput,
  existing: InstructionEntry | undefined,
  owners: ReadonlyMap<string, string>,
) {
  if ((input.owner ?? existing?.owner ?? unowned) !== unowned) return input;
  const owner = owners.get(input.id);
  return owner === undefined ? input : { ...input, owner };
}

const fallbackCategory = 'general';

/** A binding rule needs an owner and a category; with `lax` these are the writer and a general one. */
function withResponsible(
  input: InstructionInput,
  existing: InstructionEntry | undefined,
  writer: string,
): InstructionInput {
  const priority = input.priority ?? existing?.priority ?? defaultPriority;
  const requirement = input.requirement ?? existing?.requirement ?? 'optional';
  if (tierOf(priority, requirement) !== 'P1') return input;
  const hasOwner = (input.owner ?? existing?.owner ?? unowned) !== unowned;
  const { categories } = normaliseCategories(input.categories ?? existing?.categories ?? []);
  return {
    ...input,
    ...(hasOwner ? {} : { owner: writer }),
    ...(categories.length > 0 ? {} : { categories: [...(input.categories ?? []), fallbackCategory] }),
  };
}

export interface EntryDraft {
  readonly input: InstructionInput;
  readonly existing: InstructionEntry | undefined;
  /** Drops the fields of `existing` that are not given. */
  readonly isReplaced: boolean;
  /** By id, from owners.json. */
  readonly owners: ReadonlyMap<string, string>;
  readonly find: FindEntry;
  /** False for a trusted source, whose ids and types were checked. */
  readonly isValidated: boolean;
  /** Becomes the owner of a binding rule that has none. */
  readonly writer?: string;
}

/** The complete entry, or the rule that rejects it. */
export function prepareEntry(deps: WritesDeps, draft: EntryDraft) {
  const { input, existing, isReplaced, owners, find, isValidated, writer } = draft;
  const versionRejection = isValidated ? checkVersion(input, existing) : undefined;
  if (versionRejection !== undefined) return { rejection: versionRejection };
  const kept = isReplaced ? undefined : existing;
  const owned = withDefaultOwner(input, kept, owners);
  const filled = writer === undefined ? owned : withResponsible(owned, kept, writer);
  const entry = completeEntry(filled, { ...toCompleteContext(deps, existing), isReplaced });
  if (!isValidated) return { entry };
  const rejection = checkGovernance(entry);
  if (rejection !== undefined) return { rejection };
  const cycle = findCycle(entry, find);
  return cycle === undefined ? { entry } : { cycle };
}
