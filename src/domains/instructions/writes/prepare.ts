import type { Call } from '#kernel/call.ts';
import { toIso } from '#kernel/clock/clock.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { checkGovernance, checkVersion, type Refusal } from '../rules/check-write.ts';
import { type CompleteContext, completeEntry, unowned } from '../rules/complete-entry.ts';
import { type Cycle, type FindEntry, findCycle } from '../rules/graph.ts';
import type { WritesDeps } from './writes-deps.ts';

export interface Prepared {
  readonly entry?: InstructionEntry;
  readonly refusal?: Refusal;
  readonly cycle?: Cycle;
}

/** Writers without the scope admin leave drafts (DESIGN 7). */
const isTrusted = (call: Call): boolean => call.scopes.has('admin');

export function toContext(deps: WritesDeps, call: Call, existing: InstructionEntry | undefined): CompleteContext {
  return {
    now: toIso(deps.clock.now()),
    canonicalOff: deps.canonicalOff,
    isTrusted: isTrusted(call),
    ...(existing !== undefined && { existing }),
    ...(deps.agentId !== undefined && { agentId: deps.agentId }),
    ...(deps.workspace !== undefined && { workspace: deps.workspace }),
  };
}

/** Who owns it when nobody said so. */
function withOwner(
  input: InstructionInput,
  existing: InstructionEntry | undefined,
  owners: ReadonlyMap<string, string>,
) {
  if ((input.owner ?? existing?.owner ?? unowned) !== unowned) return input;
  const owner = owners.get(input.id);
  return owner === undefined ? input : { ...input, owner };
}

export interface Preparation {
  readonly input: InstructionInput;
  readonly existing: InstructionEntry | undefined;
  /** By id, from owners.json. */
  readonly owners: ReadonlyMap<string, string>;
  readonly find: FindEntry;
  /** A trusted source is not judged; its ids and types were. */
  readonly isJudged: boolean;
}

/** An input becomes the entry to be kept, or says which rule stands against it. */
export function prepare(
  deps: WritesDeps,
  call: Call,
  { input, existing, owners, find, isJudged }: Preparation,
): Prepared {
  const refusedVersion = isJudged ? checkVersion(input, existing) : undefined;
  if (refusedVersion !== undefined) return { refusal: refusedVersion };
  const entry = completeEntry(withOwner(input, existing, owners), toContext(deps, call, existing));
  if (!isJudged) return { entry };
  const refusal = checkGovernance(entry);
  if (refusal !== undefined) return { refusal };
  const cycle = findCycle(entry, find);
  return cycle === undefined ? { entry } : { cycle };
}
