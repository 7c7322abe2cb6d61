import { basename, dirname } from 'node:path';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { InstructionInput } from '../entry-model.ts';
import type { SyncScope, SyncStep } from '../rules/plan-sync.ts';
import type { SourceMark } from '../rules/source-mark.ts';
import { stepId } from '../writes/sync-rules.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { findProject, type ProjectPath } from './find-project.ts';
import { freeId, noteCandidates } from './plan-import.ts';
import { proposeConflicts } from './propose-conflicts.ts';
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

/** A path that was a file when it was imported stays one, even if a folder took its place. */
async function locate(absolute: string, name: string | undefined, marks: readonly SourceMark[]): Promise<ProjectPath> {
  const found = await findProject(absolute, name);
  if (found.kind !== 'folder') return found;
  const asFile =
    found.path === ''
      ? { project: name ?? basename(dirname(absolute)), path: basename(absolute) }
      : { project: found.project, path: found.path };
  const wasFile = marks.some(({ project, file }) => project === asFile.project && file === asFile.path);
  return wasFile ? { ...found, ...asFile, kind: 'missing' } : found;
}

/** Refuses a path that is probably a mistake, before anything is written. */
function checkPath(
  shown: string,
  { project, path, kind }: ProjectPath,
  marks: readonly SourceMark[],
  removed: boolean,
): void {
  const below = marks.filter(({ file }) => isBelow(file, path));
  const own = below.filter((mark) => (mark.project ?? project) === project);
  if (own.length > 0 && (kind !== 'missing' || removed)) return;
  if (own.length > 0) {
    const what = `the file ${shown}, from which ${countRules(own.length)} came; --removed archives them if it was deleted`;
    throw faults.NOT_FOUND({ what });
  }
  if (kind === 'missing') throw faults.NOT_FOUND({ what: shown });
  const others = path === '' ? [] : [...new Set(below.flatMap((mark) => mark.project ?? []))].sort();
  const how =
    others.length === 0
      ? `fourfold instructions import ${shown} imports it`
      : `the project ${others.slice(0, 3).join(', ')} has such a file: add --project ${others[0]} if it is this one`;
  throw faults.VALIDATION_ERROR({ why: `nothing was imported from ${shown} of the project ${project}; ${how}` });
}

/** The new text of a rule, if the rule may become mandatory. */
function toCandidate(step: SyncStep): readonly InstructionInput[] {
  if (step.action === 'add') return [{ ...step.section.input, id: step.id }];
  const isNewText = (step.action === 'update' || step.action === 'rename') && step.changes.body !== undefined;
  return isNewText ? [{ ...step.rule.entry, ...step.changes }] : [];
}

function toItem(step: SyncStep, proposals: ReadonlyMap<string, string>) {
  const { mark } = step.action === 'archive' ? step.rule : step.section;
  const title = step.action === 'archive' ? step.rule.entry.title : (step.section.input.title ?? stepId(step));
  const item = { action: step.action, id: stepId(step), title, source: mark.file };
  if (step.action === 'add' || step.action === 'archive') return item;
  const fields = Object.keys(step.changes).filter((field) => field !== 'extensions');
  return {
    ...item,
    fields,
    ...(step.action === 'rename' ? { renamedFrom: step.rule.mark.title ?? step.rule.entry.title } : {}),
    ...(step.action === 'conflict' ? { proposal_id: proposals.get(item.id) } : {}),
  };
}

function noteConflicts(count: number, dryRun: boolean): readonly string[] {
  if (count === 0) return [];
  const [rules, are] = count === 1 ? ['1 rule was', 'is'] : [`${count} rules were`, 'are'];
  const end = dryRun ? 'would be proposed' : `${are} proposed: fourfold instructions proposals shows both texts`;
  return [`${rules} changed in the catalog and in the file; the texts of the file ${end}`];
}

/** Brings the rules that were imported from files up to date with the files. */
export async function syncFiles(deps: BulkDeps & { readonly sync: RuleSync }, options: SyncOptions) {
  const { project, removed, dryRun } = options;
  const marks = await deps.sync.marks();
  const existing: string[] = [];
  const missing: SyncScope[] = [];
  for (const absolute of options.paths) {
    const found = await locate(absolute, project, marks);
    checkPath(toShownPath(absolute), found, marks, removed);
    if (found.kind === 'missing') missing.push({ project: found.project, path: found.path });
    else existing.push(absolute);
  }
  const plan = await readSources(existing, marks, { project, progress: deps.progress });
  const state = toSourceState(plan, removed);
  const sources = { ...state, scopes: [...state.scopes, ...missing] };
  const { steps, kept, skipped, errors } = await (dryRun
    ? deps.sync.preview(sources, freeId)
    : deps.sync.run(sources, freeId));
  const proposed = await proposeConflicts(deps.ask, steps, dryRun);
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
    sections: steps.filter(({ action }) => action !== 'unchanged').map((step) => toItem(step, proposed.proposals)),
    kept,
    skipped: [...plan.skipped, ...skipped],
    warnings: [
      ...plan.warnings,
      ...noteCandidates(steps.flatMap(toCandidate)),
      ...noteConflicts(count('conflict'), dryRun),
      ...kept.map(
        ({ source, rules, reason }) =>
          `${countRules(rules)} of ${source} stay, because ${reason}; --removed archives them`,
      ),
    ],
    errors: [...errors, ...proposed.errors],
  };
}
