import type { Call } from '#kernel/call.ts';
import type { CatalogState, EntryChange } from '../catalog/catalog.ts';
import type { InstructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { asInput } from '../rules/complete-entry.ts';
import type { ImportedRule } from '../rules/match-sections.ts';
import {
  importedRules,
  type KeptRemoval,
  keepRemoved,
  type PlanDeps,
  planSync,
  type SourceState,
  type SyncPlan,
  type SyncStep,
} from '../rules/plan-sync.ts';
import { type SourceMark, sourceMarkOf } from '../rules/source-mark.ts';
import { bumpVersion } from '../rules/version.ts';
import { commitAll } from './commit-changes.ts';
import { prepareEntry, toCompleteContext } from './prepare-entry.ts';
import type { WritesDeps } from './writes-deps.ts';

/** The free ids of the import, so that both give a new section the same one. */
export type FreeId = PlanDeps['freeId'];

export interface SyncError {
  readonly id: string;
  readonly error: string;
  readonly code: string;
}

export interface SyncResult extends SyncPlan {
  readonly keptRemoved: readonly KeptRemoval[];
  /** How many rules were imported from the files in question before. */
  readonly knownCount: number;
  readonly errors: readonly SyncError[];
}

function planLive(state: CatalogState, sources: SourceState, freeId: FreeId) {
  const entries = state.entries.map((entry) => ({ entry, etag: state.find(entry.id)?.etag ?? '' }));
  const rules = importedRules(entries, sources);
  const broken = new Set(state.problems.map(({ file }) => file));
  const planned = planSync(rules, sources, {
    find: (id) => state.find(id)?.entry,
    isBroken: (id) => broken.has(`${id}.json`),
    freeId,
  });
  return { ...planned, knownCount: rules.length };
}

export const stepId = (step: SyncStep): string => (step.action === 'add' ? step.id : step.rule.entry.id);

function without(steps: readonly SyncStep[], errors: readonly SyncError[]): readonly SyncStep[] {
  const failed = new Set(errors.map(({ id }) => id));
  return steps.filter((step) => !failed.has(stepId(step)));
}

/** The rule as the file has it, with everything else as the lead left it. */
const toSyncedInput = ({ entry }: ImportedRule, changes: Partial<InstructionInput>): InstructionInput => ({
  ...asInput(entry),
  ...changes,
});

export function createSync(deps: WritesDeps) {
  const { catalog } = deps;

  /** The removals are read after the state, so that a rule that is removed meanwhile is in one of them. */
  async function plan(call: Call, state: CatalogState, sources: SourceState, freeId: FreeId) {
    const planned = planLive(state, sources, freeId);
    const isComplete = sources.restoresRemoved || planned.steps.every(({ action }) => action !== 'add');
    return { ...planned, ...keepRemoved(planned, isComplete ? [] : await deps.removedRules(call), sources) };
  }

  function toInput(step: SyncStep): InstructionInput | undefined {
    if (step.action === 'add') return { ...step.section.input, id: step.id };
    if (step.action !== 'update' && step.action !== 'rename') return undefined;
    const { entry } = step.rule;
    const { now } = toCompleteContext(deps, entry);
    const version = bumpVersion(entry.version, 'patch');
    const summary = `synced from ${step.section.mark.file}`;
    const changeLog = [...entry.changeLog, { version, changedAt: now, summary }];
    // The history finds the reason of a version by its time.
    return { ...toSyncedInput(step.rule, step.changes), version, changeLog, updatedAt: now };
  }

  async function toChanges(call: Call, state: CatalogState, steps: readonly SyncStep[]) {
    const changes: EntryChange[] = [];
    const errors: SyncError[] = [];
    const owners = await deps.owners(call, steps.map(stepId));
    for (const step of steps) {
      const id = stepId(step);
      const before = step.action === 'add' ? null : step.rule.etag;
      if (step.action === 'archive') changes.push({ id, before, after: null });
      const input = toInput(step);
      if (input === undefined) continue;
      const existing = step.action === 'add' ? undefined : state.find(id)?.entry;
      const find = (other: string) => state.find(other)?.entry;
      const { entry, rejection } = prepareEntry(deps, {
        input,
        existing,
        isReplaced: true,
        owners,
        find,
        isValidated: true,
      });
      if (entry !== undefined) changes.push({ id, before, after: entry });
      else if (rejection !== undefined) errors.push({ id, error: rejection.error, code: rejection.code });
    }
    return { changes, errors };
  }

  /** The sources of all imported rules. */
  const marks = async (call: Call): Promise<readonly SourceMark[]> =>
    (await catalog.state(call)).entries.flatMap((entry) => sourceMarkOf(entry) ?? []);

  async function openCatalog(call: Call) {
    const state = await catalog.state(call);
    return (id: string) => state.find(id)?.entry;
  }

  /** The sources of the rules that were removed. */
  const removedMarks = async (call: Call): Promise<readonly SourceMark[]> =>
    (await deps.removedRules(call)).flatMap(({ entry }) => sourceMarkOf(entry) ?? []);

  /** Plans without writing. */
  async function preview(call: Call, sources: SourceState, freeId: FreeId): Promise<SyncResult> {
    const state = await catalog.state(call);
    const planned = await plan(call, state, sources, freeId);
    const { errors } = await toChanges(call, state, planned.steps);
    return { ...planned, steps: without(planned.steps, errors), errors };
  }

  /**
   * Writes everything but conflicts. An entry that somebody else changed meanwhile is planned again from its new state,
   * so that two runs together do what one would do.
   */
  async function sync(call: Call, sources: SourceState, freeId: FreeId): Promise<SyncResult> {
    const done: SyncStep[] = [];
    for (let tries = 1; ; tries += 1) {
      const state = await catalog.state(call);
      const planned = await plan(call, state, sources, freeId);
      const { changes, errors } = await toChanges(call, state, planned.steps);
      const committed = await commitAll(catalog, call, changes);
      const isDone = new Set(committed.done);
      if (isDone.size > 0) deps.onMutation?.(call, { action: 'sync', ids: committed.done });
      const isWritten = (step: SyncStep) => isDone.has(stepId(step)) && step.action !== 'unchanged';
      const isOutdated = committed.failed.some(({ fault }) => fault.code === 'CONFLICT');
      if (isOutdated && tries < instructionLimits.conflictRetriesCount) {
        done.push(...planned.steps.filter(isWritten));
        continue;
      }
      const ownIds = new Set(done.map(stepId));
      // What an earlier try wrote is unchanged now.
      const rest = planned.steps.filter((step) => step.action !== 'unchanged' || !ownIds.has(stepId(step)));
      const failures = committed.failed.map(({ id, fault }) => ({ id, error: fault.message, code: fault.code }));
      const all = [...errors, ...failures];
      return { ...planned, steps: without([...done, ...rest], all), errors: all };
    }
  }

  return { marks, catalog: openCatalog, removedMarks, preview, run: sync };
}
