import { canonicalJson } from '#kernel/json/canonical.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { candidateMark, isMarkedCandidate } from './candidates.ts';
import { type ImportedRule, matchSections, type SourceSection } from './match-sections.ts';
import { isAsImported, type SourceMark, sourceFacts, sourceMarkOf } from './source-mark.ts';

/** A file or folder of a project, relative to it; empty for the whole project. */
export interface SyncScope {
  readonly project: string;
  readonly path: string;
}

/** What is on disk now. */
export interface SourceState {
  readonly scopes: readonly SyncScope[];
  readonly sections: readonly SourceSection[];
  /** Files that were read, also those without a section. */
  readonly read: readonly Pick<SourceMark, 'project' | 'file'>[];
  /** Files and folders that exist but cannot be read now; this says nothing about their rules. */
  readonly unreadable: readonly SyncScope[];
  /** Archives the rules of files that are gone, or that contain none of their rules any more. */
  readonly removed: boolean;
  /** Adds rules that somebody removed, as an import does. */
  readonly restoresRemoved: boolean;
}

export const syncActions = ['add', 'update', 'rename', 'archive', 'conflict', 'unchanged'] as const;
export type SyncAction = (typeof syncActions)[number];

interface MatchedStep {
  readonly action: 'update' | 'rename' | 'conflict' | 'unchanged';
  readonly section: SourceSection;
  readonly rule: ImportedRule;
  /** The fields to write; for a conflict, the fields to propose. */
  readonly changes: Partial<InstructionInput>;
}

export type SyncStep =
  | MatchedStep
  | {
      readonly action: 'add';
      readonly section: SourceSection;
      readonly id: string;
      /** The entry that has the id of the section already. */
      readonly holder: InstructionEntry | undefined;
    }
  | { readonly action: 'archive'; readonly rule: ImportedRule };

/** Rules that stay although their file does not contain them, because that may be a mistake. */
export interface KeptSource {
  readonly source: string;
  readonly rules: number;
  readonly reason: string;
}

/** An imported rule that somebody removed. */
export interface RemovedRule extends RuleEntry {
  /** Of its last version. */
  readonly number: number;
  readonly removedAt: number;
  readonly removedBy: string;
}

/** A removed rule whose section is still in the file. */
export interface KeptRemoval {
  readonly rule: RemovedRule;
  readonly section: SourceSection;
  /** The section is not as it was when the rule was removed. */
  readonly isChanged: boolean;
}

export interface SyncPlan {
  readonly steps: readonly SyncStep[];
  readonly kept: readonly KeptSource[];
  readonly skipped: readonly { readonly source: string; readonly reason: string }[];
}

const fileKey = ({ project, file }: Pick<SourceMark, 'project' | 'file'>): string => JSON.stringify([project, file]);

const isBelow = (file: string, path: string): boolean => path === '' || file === path || file.startsWith(`${path}/`);

/** Rules that were imported before projects were recorded belong to the project that asks. */
const isIn = ({ project, path }: SyncScope, mark: SourceMark): boolean =>
  (mark.project ?? project) === project &&
  (isBelow(mark.file, path) || (mark.includedBy !== undefined && isBelow(mark.includedBy, path)));

export interface RuleEntry {
  readonly entry: InstructionEntry;
  readonly etag: string;
}

/** The rules that were imported from the files in question. */
export function importedRules(entries: Iterable<RuleEntry>, { scopes, read }: SourceState): readonly ImportedRule[] {
  const files = new Set(read.map(fileKey));
  const rules: ImportedRule[] = [];
  for (const { entry, etag } of entries) {
    const mark = sourceMarkOf(entry);
    if (mark === undefined) continue;
    const scope = scopes.find((one) => isIn(one, mark));
    const project = mark.project ?? scope?.project;
    if (scope === undefined && !files.has(fileKey({ project, file: mark.file }))) continue;
    rules.push({ entry, etag, mark: { ...mark, project } });
  }
  return rules;
}

/** The changed text may demand something now, or no longer. A lead's own choice of the requirement stays. */
function candidacy(entry: InstructionEntry, input: InstructionInput): Partial<InstructionInput> {
  const { candidate: _candidate, ...extensions } = entry.extensions ?? {};
  if (!isMarkedCandidate(input)) return { extensions };
  const isNew = !isMarkedCandidate(entry) && entry.requirement === 'optional';
  return { extensions: { ...extensions, ...candidateMark }, ...(isNew ? { requirement: 'recommended' } : {}) };
}

const isSameMark = (before: ImportedRule, { mark }: SourceSection): boolean => {
  const known = sourceMarkOf(before.entry);
  return (
    known?.file === mark.file &&
    known.project === mark.project &&
    known.title === mark.title &&
    known.hash === mark.hash &&
    canonicalJson(known.facts ?? {}) === canonicalJson(mark.facts ?? {})
  );
};

/** Takes over what changed in the file, unless the lead changed the same field. */
function decide(rule: ImportedRule, section: SourceSection): MatchedStep {
  const { entry, mark } = rule;
  const { input } = section;
  const isTextNew = mark.hash !== section.mark.hash && entry.sourceHash !== section.mark.hash;
  const isEdited = entry.sourceHash !== mark.hash;
  const title = input.title ?? entry.title;
  const isRenamed = (mark.title ?? entry.title) !== title;
  const facts = Object.fromEntries(
    sourceFacts
      .filter((fact) => canonicalJson(entry[fact] ?? null) !== canonicalJson(input[fact] ?? null))
      .filter((fact) => mark.facts?.[fact] !== section.mark.facts?.[fact] && isAsImported(entry, mark, fact))
      .map((fact) => [fact, input[fact]]),
  );
  const { extensions = {}, ...candidate } = isTextNew
    ? candidacy(entry, input)
    : { extensions: entry.extensions ?? {} };
  const changes: Partial<InstructionInput> = {
    ...(isTextNew ? { body: input.body } : {}),
    ...(isRenamed && entry.title === (mark.title ?? entry.title) ? { title } : {}),
    ...facts,
    ...candidate,
    extensions: { ...extensions, source: input.extensions?.['source'] },
  };
  if (isTextNew && isEdited) return { action: 'conflict', rule, section, changes };
  if (isRenamed) return { action: 'rename', rule, section, changes };
  const isUnchanged = isSameMark(rule, section) && Object.keys(changes).length === 1;
  return { action: isUnchanged ? 'unchanged' : 'update', rule, section, changes };
}

export interface PlanDeps {
  find(id: string): InstructionEntry | undefined;
  /** An id that neither the catalog nor `taken` has. */
  freeId(id: string, file: string, isTaken: (id: string) => boolean): string;
  /** A file with this id exists, although it cannot be served. */
  isBroken(id: string): boolean;
}

/** What a sync does, without doing it. */
export function planSync(rules: readonly ImportedRule[], state: SourceState, deps: PlanDeps): SyncPlan {
  const present = new Set(state.read.map(fileKey));
  const isElsewhere = (mark: SourceMark) =>
    mark.includedBy !== undefined && !state.scopes.some((scope) => isIn(scope, mark));
  const foreign = new Set(rules.filter(({ mark }) => isElsewhere(mark)).map(({ mark }) => fileKey(mark)));
  const isOurs = ({ mark }: { readonly mark: SourceMark }) =>
    !foreign.has(fileKey(mark)) && !state.unreadable.some((scope) => isIn(scope, mark));
  const known = rules.filter(isOurs);
  const sections = state.sections.filter(isOurs);
  const matches = matchSections(known, sections);
  const matched = new Set(matches.values());

  const lost = new Map<string, ImportedRule[]>();
  for (const rule of known.filter((one) => !matched.has(one))) {
    const key = fileKey(rule.mark);
    lost.set(key, [...(lost.get(key) ?? []), rule]);
  }
  const kept: KeptSource[] = [];
  const isKept = new Set<string>();
  const archived: ImportedRule[] = [];
  for (const [key, gone] of lost) {
    const isThere = present.has(key);
    const isPlausible = isThere && known.some((rule) => fileKey(rule.mark) === key && matched.has(rule));
    if (state.removed || isPlausible) {
      archived.push(...gone);
      continue;
    }
    isKept.add(key);
    const source = gone[0]!.mark.file;
    const reason = isThere ? 'the file contains none of the rules that were imported from it' : 'the file is gone';
    kept.push({ source, rules: gone.length, reason });
  }

  const steps: SyncStep[] = [];
  const skipped: { source: string; reason: string }[] = [];
  const added = new Set<string>();
  const isTaken = (id: string) => added.has(id) || deps.find(id) !== undefined || deps.isBroken(id);
  for (const section of sections) {
    const rule = matches.get(section);
    if (rule !== undefined) {
      steps.push(decide(rule, section));
      continue;
    }
    const { file, project, hash } = section.mark;
    if (isKept.has(fileKey(section.mark))) continue;
    const { id } = section.input;
    const holder = deps.find(id);
    const owner = holder === undefined ? undefined : sourceMarkOf(holder);
    if (holder?.sourceHash === hash && (owner === undefined || owner.project === project)) {
      skipped.push({ source: file, reason: `${id} is already in the catalog with the same text` });
      continue;
    }
    const free = isTaken(id) ? deps.freeId(id, file, isTaken) : id;
    added.add(free);
    steps.push({ action: 'add', section, id: free, holder });
  }
  return { steps: [...steps, ...archived.map((rule) => ({ action: 'archive' as const, rule }))], kept, skipped };
}

/** Takes the sections of removed rules out of a plan: a removal stays until somebody restores the rule. */
export function keepRemoved(plan: SyncPlan, removed: readonly RemovedRule[], state: SourceState) {
  const sections = plan.steps.flatMap((step) => (step.action === 'add' ? [step.section] : []));
  const byId = new Map(removed.map((rule) => [rule.entry.id, rule]));
  const matches = matchSections(importedRules(removed, state), sections);
  const keptRemoved = [...matches].map(
    ([section, rule]): KeptRemoval => ({
      rule: byId.get(rule.entry.id)!,
      section,
      isChanged: !isSameMark(rule, section),
    }),
  );
  const steps = plan.steps.filter((step) => step.action !== 'add' || !matches.has(step.section));
  return { ...plan, steps, keptRemoved };
}
