import { chunksOfSize } from '#kernel/text/budget.ts';
import { canonicalBody } from '#kernel/text/normalise.ts';
import type { InstructionEntry, InstructionInput } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { isBinding } from '../rules/applicability.ts';
import type { SyncAction } from '../rules/plan-sync.ts';
import { sourceMarkOf } from '../rules/source-mark.ts';
import type { ImportAnswer, ImportError, ImportInput } from '../tools/instructions-import.ts';
import type { SyncResult } from '../writes/sync-rules.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { freeId, type ImportPlan, noteCandidates } from './plan-import.ts';
import { type RuleSync, readSources, toSourceState } from './read-sources.ts';

type ImportCounts = Pick<ImportAnswer, 'imported' | 'skipped' | 'overwritten' | 'errors'>;

export interface ImportOptions {
  readonly paths: readonly string[];
  readonly mode: ImportInput['mode'];
  readonly dryRun: boolean;
  readonly project?: string | undefined;
}

/** Calls `instructions/import` chunk by chunk. Finished chunks stay when a later one fails or the user interrupts. */
export async function importEntries(
  { ask, progress, signal }: BulkDeps,
  entries: readonly InstructionInput[],
  { mode, dryRun = false }: { readonly mode: ImportInput['mode']; readonly dryRun?: boolean },
): Promise<ImportCounts> {
  const counts = { imported: 0, skipped: 0, overwritten: 0 };
  const errors: ImportError[] = [];
  let done = 0;
  const { importChunkChars, importChunkCount, importEntriesCount } = instructionLimits;
  // A dry run stores nothing between two chunks, so it checks as many entries together as possible.
  const [maxChars, maxCount] = dryRun
    ? [Number.POSITIVE_INFINITY, importEntriesCount]
    : [importChunkChars, importChunkCount];
  for (const chunk of chunksOfSize(entries, maxChars, ({ body }) => body.length, maxCount)) {
    signal?.throwIfAborted();
    progress(done, entries.length, dryRun ? 'checking' : 'importing');
    const answer = (await ask('instructions/import', { entries: chunk, mode, dryRun })) as ImportAnswer;
    counts.imported += answer.imported;
    counts.skipped += answer.skipped;
    counts.overwritten += answer.overwritten;
    for (const error of answer.errors) errors.push({ ...error, index: error.index + done });
    done += chunk.length;
  }
  progress(done, entries.length, dryRun ? 'checked' : 'imported');
  return { ...counts, errors };
}

/** Sections that are rules already keep their ids, whatever their headings say now. */
function withKnownIds(entries: readonly InstructionInput[], { steps }: SyncResult): readonly InstructionInput[] {
  const ids = new Map<InstructionInput, string>();
  for (const step of steps) {
    if (step.action === 'archive') continue;
    if (step.action !== 'add') ids.set(step.section.input, step.rule.entry.id);
    // Another rule file has a section with this title. Entries of other origin are replaced as the mode says.
    else if (step.holder !== undefined && sourceMarkOf(step.holder) !== undefined) ids.set(step.section.input, step.id);
  }
  return entries.map((entry) => ({ ...entry, id: ids.get(entry) ?? entry.id }));
}

/** What an import leaves to a sync: every change, or, if it overwrites, only the removal of sections. */
const leftToSync: Readonly<Record<ImportInput['mode'], ReadonlySet<SyncAction>>> = {
  skip: new Set(['update', 'rename', 'conflict', 'archive']),
  overwrite: new Set(['archive']),
  merge: new Set(['archive']),
};

function findDifferences({ steps, kept }: SyncResult, mode: ImportInput['mode']) {
  const counts = new Map<string, number>(kept.map(({ source, rules }) => [source, rules]));
  for (const step of steps) {
    if (!leftToSync[mode].has(step.action)) continue;
    const { file } = step.action === 'archive' ? step.rule.mark : step.section.mark;
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return [...counts].map(([file, sections]) => ({ file, sections }));
}

const describeDifference = ({ file, sections }: { readonly file: string; readonly sections: number }): string => {
  const count = sections === 1 ? '1 section of' : `${sections} sections of`;
  return `${count} ${file} ${sections === 1 ? 'differs' : 'differ'} from what was imported; run fourfold instructions sync ${file}`;
};

/** A rule compared with the catalog before the import. */
type RuleState = 'new' | 'same' | 'differs';

/** Sections are compared as a sync does it, other entries by their text. */
function toStates({ steps }: SyncResult, find: (id: string) => InstructionEntry | undefined) {
  const matched = new Map<InstructionInput, RuleState>();
  for (const step of steps) {
    if (step.action === 'archive' || step.action === 'add') continue;
    matched.set(step.section.input, step.action === 'unchanged' ? 'same' : 'differs');
  }
  return (given: InstructionInput, id: string): RuleState => {
    const known = matched.get(given);
    const present = find(id);
    if (known !== undefined || present === undefined) return known ?? 'new';
    return present.body === canonicalBody(given.body) ? 'same' : 'differs';
  };
}

export async function importFiles(deps: BulkDeps & { readonly sync: RuleSync }, options: ImportOptions) {
  const { paths, project } = options;
  const plan = await readSources(paths, await deps.sync.marks(), { project, progress: deps.progress });
  return (await importPlan(deps, plan, options)).answer;
}

/** Imports what was read. Also returns the rules, in the order of the files. */
export async function importPlan(
  deps: BulkDeps & { readonly sync: RuleSync },
  plan: ImportPlan,
  { mode, dryRun }: Pick<ImportOptions, 'mode' | 'dryRun'>,
) {
  const compared = await deps.sync.preview(toSourceState(plan, { removed: false, restoresRemoved: true }), freeId);
  const entries = withKnownIds(plan.entries, compared);
  const confirmed = new Set(
    compared.steps.flatMap((step) =>
      'rule' in step && 'section' in step && isBinding(step.rule.entry) ? [step.section.input] : [],
    ),
  );
  const stateOf = toStates(compared, await deps.sync.catalog());
  const rules = entries.map((entry, i) => ({ entry, state: stateOf(plan.entries[i]!, entry.id) }));
  const counts = await importEntries(deps, entries, { mode, dryRun });
  const differ = findDifferences(compared, mode);
  // Without the scope admin, an import proposes what it would store.
  const { imported, skipped, overwritten, errors } = counts;
  const proposed = entries.length - imported - skipped - overwritten - errors.length;
  const answer = {
    dryRun,
    files: plan.files,
    found: entries.length,
    imported: counts.imported,
    overwritten: counts.overwritten,
    kept: counts.skipped,
    ...(proposed > 0 && { proposed }),
    ids: entries.map(({ id }) => id),
    differ,
    ...(plan.mapped.length > 0 && {
      mappedCount: plan.mapped.length,
      mapped: plan.mapped.slice(0, instructionLimits.reportItemsCount),
    }),
    skipped: plan.skipped,
    warnings: [
      ...plan.warnings,
      ...noteCandidates(entries.filter((_, i) => !confirmed.has(plan.entries[i]!))),
      ...differ.map(describeDifference),
    ],
    errors: counts.errors,
  };
  return { answer, rules };
}
