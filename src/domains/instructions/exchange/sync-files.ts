import { faults } from '#kernel/fault/kernel-faults.ts';
import type { InstructionInput } from '../entry-model.ts';
import type { SyncScope, SyncStep } from '../rules/plan-sync.ts';
import type { SourceMark } from '../rules/source-mark.ts';
import { stepId } from '../writes/sync-rules.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { findProject, type ProjectPath } from './find-project.ts';
import { freeId, noteCandidates } from './plan-import.ts';
import { type RuleSync, readSources, toShownPath, toSourceState } from './read-sources.ts';

export interface SyncOptions {
  /** Absolute. */
  readonly paths: readonly string[];
  readonly project?: string | undefined;
  readonly removed: boolean;
  readonly dryRun: boolean;
}

const isBelow = (file: string, path: string): boolean => path === '' || file === path || file.startsWith(`${path}/`);

const countRules = (count: number): string => (count === 1 ? '1 rule' : `${count} rules`);

/** Refuses a path that is probably a mistake, before anything is read or written. */
function checkPath(
  absolute: string,
  { project, path, kind }: ProjectPath,
  marks: readonly SourceMark[],
  removed: boolean,
): void {
  const shown = toShownPath(absolute);
  const own = marks.filter((mark) => (mark.project ?? project) === project && isBelow(mark.file, path));
  const others = [...new Set(marks.filter(({ file }) => isBelow(file, path)).flatMap((mark) => mark.project ?? []))];
  if (own.length === 0) {
    if (kind === 'missing') throw faults.NOT_FOUND({ what: shown });
    const how =
      others.length === 0 || path === ''
        ? `fourfold instructions import ${shown} imports it`
        : `it was imported for the project ${others.slice(0, 3).join(', ')}: add --project ${others[0]} if this is the same one`;
    throw faults.VALIDATION_ERROR({ why: `nothing was imported from ${shown} of the project ${project}; ${how}` });
  }
  if (kind === 'missing' && !removed) {
    const count = countRules(own.length);
    throw faults.NOT_FOUND({ what: `${shown}, from which ${count} came; --removed archives them if it was deleted` });
  }
  if (kind === 'folder' && own.some(({ file }) => file === path) && !removed) {
    throw faults.VALIDATION_ERROR({
      why: `${shown} is a folder now, but rules were imported from a file of this name; --removed archives them`,
    });
  }
}

/** The new text of a rule, if the rule may become mandatory. */
function toCandidate(step: SyncStep): readonly InstructionInput[] {
  if (step.action === 'add') return [{ ...step.section.input, id: step.id }];
  const isNewText = (step.action === 'update' || step.action === 'rename') && step.changes.body !== undefined;
  return isNewText ? [{ ...step.rule.entry, ...step.changes }] : [];
}

function toItem(step: SyncStep) {
  const { mark } = step.action === 'archive' ? step.rule : step.section;
  const title = step.action === 'archive' ? step.rule.entry.title : (step.section.input.title ?? stepId(step));
  const item = { action: step.action, id: stepId(step), title, source: mark.file };
  if (step.action === 'add' || step.action === 'archive') return item;
  const fields = Object.keys(step.changes).filter((field) => field !== 'extensions');
  return {
    ...item,
    fields,
    ...(step.action === 'rename' ? { renamedFrom: step.rule.mark.title ?? step.rule.entry.title } : {}),
  };
}

/** Brings the rules that were imported from files up to date with the files. */
export async function syncFiles(deps: BulkDeps & { readonly sync: RuleSync }, options: SyncOptions) {
  const { project, removed, dryRun } = options;
  const marks = await deps.sync.marks();
  const existing: string[] = [];
  const missing: SyncScope[] = [];
  for (const absolute of options.paths) {
    const found = await findProject(absolute, project);
    checkPath(absolute, found, marks, removed);
    if (found.kind === 'missing') missing.push({ project: found.project, path: found.path });
    else existing.push(absolute);
  }
  const plan = await readSources(existing, marks, { project, progress: deps.progress });
  const state = toSourceState(plan, removed);
  const sources = { ...state, scopes: [...state.scopes, ...missing] };
  const { steps, kept, skipped, errors } = await (dryRun
    ? deps.sync.preview(sources, freeId)
    : deps.sync.run(sources, freeId));
  const count = (action: SyncStep['action']) => steps.filter((step) => step.action === action).length;
  return {
    dryRun,
    files: plan.files,
    added: count('add'),
    updated: count('update'),
    renamed: count('rename'),
    archived: count('archive'),
    conflicts: count('conflict'),
    unchanged: count('unchanged'),
    sections: steps.filter(({ action }) => action !== 'unchanged').map(toItem),
    kept,
    skipped: [...plan.skipped, ...skipped],
    warnings: [
      ...plan.warnings,
      ...noteCandidates(steps.flatMap(toCandidate)),
      ...kept.map(
        ({ source, rules, reason }) =>
          `${countRules(rules)} of ${source} stay, because ${reason}; --removed archives them`,
      ),
    ],
    errors,
  };
}
