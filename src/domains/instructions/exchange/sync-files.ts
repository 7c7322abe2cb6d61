import { basename, dirname } from 'node:path';
import { toIso } from '#kernel/clock/clock.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { listSome } from '#kernel/text/list-some.ts';
import type { InstructionInput } from '../entry-model.ts';
import type { KeptRemoval, SyncScope, SyncStep } from '../rules/plan-sync.ts';
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

const isOwn = (mark: SourceMark, { project, path }: Pick<ProjectPath, 'project' | 'path'>): boolean =>
  (mark.project ?? project) === project && isBelow(mark.file, path);

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
  const own = below.filter((mark) => isOwn(mark, { project, path }));
  if (own.length > 0 && (kind !== 'missing' || removed)) return;
  if (own.length > 0) {
    const what = `the file ${shown}, from which ${countRules(own.length)} came; --removed archives them if it was deleted`;
    throw faults.NOT_FOUND(
      { what },
      { fix: `Name the file where it is now, or run instructions sync ${shown} --removed.` },
    );
  }
  if (kind === 'missing')
    throw faults.NOT_FOUND({ what: shown }, { fix: 'Name an existing file or folder, such as AGENTS.md.' });
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

const toKeptRemoved = ({ rule, section, isChanged }: KeptRemoval) => ({
  id: rule.entry.id,
  title: rule.entry.title,
  source: section.mark.file,
  changed: isChanged,
  removedAt: toIso(rule.removedAt),
  removedBy: rule.removedBy,
  // Not `restore`: the archive is emptied after some time.
  restore: { tool: 'instructions_rollback', arguments: { id: rule.entry.id, to: rule.number } },
});

type KeptRemoved = ReturnType<typeof toKeptRemoved>;

function describeRemoved({ id, source, changed, restore }: KeptRemoved): string {
  const what = changed ? `its section in ${source} has changed since` : `its section is still in ${source}`;
  return `${id} was removed and stays removed, although ${what}; fourfold instructions rollback --id ${id} --to ${restore.arguments.to} restores it`;
}

/** Brings the rules that were imported from files up to date with the files. */
export async function syncFiles(deps: BulkDeps & { readonly sync: RuleSync }, options: SyncOptions) {
  const { project, removed, dryRun } = options;
  const marks = await deps.sync.marks();
  /** All rules of a file may have been removed; it was imported nevertheless. */
  const marksFor = async (path: ProjectPath): Promise<readonly SourceMark[]> =>
    marks.some((mark) => isOwn(mark, path)) ? marks : [...marks, ...(await deps.sync.removedMarks())];
  const existing: string[] = [];
  const missing: SyncScope[] = [];
  for (const absolute of options.paths) {
    const found = await locate(absolute, project, marks);
    checkPath(toShownPath(absolute), found, await marksFor(found), removed);
    if (found.kind === 'missing') missing.push({ project: found.project, path: found.path });
    else existing.push(absolute);
  }
  const plan = await readSources(existing, marks, { project, progress: deps.progress });
  const state = toSourceState(plan, { removed, restoresRemoved: false });
  const sources = { ...state, scopes: [...state.scopes, ...missing] };
  const { steps, kept, skipped, errors, ...result } = await (dryRun
    ? deps.sync.preview(sources, freeId)
    : deps.sync.run(sources, freeId));
  const keptRemoved = result.keptRemoved.map(toKeptRemoved);
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
    keptRemoved,
    skipped: [...plan.skipped, ...skipped],
    warnings: [
      ...plan.warnings,
      ...noteCandidates(steps.flatMap(toCandidate)),
      ...noteConflicts(count('conflict'), dryRun),
      ...keptRemoved.map(describeRemoved),
      ...kept.map(
        ({ source, rules, reason }) =>
          `${countRules(rules)} of ${source} stay, because ${reason}; --removed archives them`,
      ),
    ],
    errors: [...errors, ...proposed.errors],
  };
}

interface SyncOutcome {
  readonly errors: readonly { readonly id: string; readonly error: string }[];
  readonly kept: readonly { readonly source: string }[];
  readonly conflicts: number;
  readonly sections: readonly { readonly id: string }[];
}

/** Errors always count. `conflicts`: a person has to decide. `differences`: the catalog was not up to date. */
export function findSyncFailure(
  { errors, kept, conflicts, sections }: SyncOutcome,
  failOn: string,
): string | undefined {
  const [rejected] = errors.map(({ id, error }) => `${id}: ${error}`);
  if (rejected !== undefined) return `rejected ${listSome([rejected], errors.length)}`;
  if (failOn === 'errors') return undefined;
  if (kept.length > 0) return `without their files: the rules of ${listSome(kept.map(({ source }) => source))}`;
  if (conflicts > 0) return `changed in the catalog and in their files: ${countRules(conflicts)}`;
  if (failOn !== 'differences' || sections.length === 0) return undefined;
  return `differed from their files: ${listSome(sections.map(({ id }) => id))}`;
}
