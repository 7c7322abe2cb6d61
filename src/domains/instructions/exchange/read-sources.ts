import { relative } from 'node:path';
import type { Call } from '#kernel/call.ts';
import type { InstructionEntry } from '../entry-model.ts';
import type { SourceSection } from '../rules/match-sections.ts';
import type { SourceState } from '../rules/plan-sync.ts';
import { type SourceMark, sourceMarkOf } from '../rules/source-mark.ts';
import type { FreeId, SyncResult } from '../writes/sync-rules.ts';
import type { Writes } from '../writes/writes.ts';
import type { ReportProgress } from './bulk-deps.ts';
import { type ImportPlan, planImport } from './plan-import.ts';

/** The part of the catalog that compares rules with their sources, in the name of one caller. */
export interface RuleSync {
  marks(): Promise<readonly SourceMark[]>;
  /** Finds an entry by its id. */
  catalog(): Promise<(id: string) => InstructionEntry | undefined>;
  removedMarks(): Promise<readonly SourceMark[]>;
  preview(sources: SourceState, freeId: FreeId): Promise<SyncResult>;
  run(sources: SourceState, freeId: FreeId): Promise<SyncResult>;
}

export const toRuleSync = ({ sync }: Writes, call: Call): RuleSync => ({
  marks: () => sync.marks(call),
  catalog: () => sync.catalog(call),
  removedMarks: () => sync.removedMarks(call),
  preview: (sources, freeId) => sync.preview(call, sources, freeId),
  run: (sources, freeId) => sync.run(call, sources, freeId),
});

interface ReadOptions {
  readonly project: string | undefined;
  readonly progress: ReportProgress;
}

const contains = (folder: string, file: string): boolean => folder === '' || file.startsWith(`${folder}/`);

/** Scopes of a file begin in the same folder whether the file is named or the folder above it. */
function createBases(marks: readonly SourceMark[]) {
  return (project: string, file: string): string | undefined => {
    const own = marks.filter((mark) => mark.project === project);
    const same = own.find((mark) => mark.file === file);
    if (same !== undefined) return same.base ?? '';
    const bases = own.map(({ base = '' }) => base).filter((base) => contains(base, file));
    return bases.length === 0 ? undefined : bases.reduce((a, b) => (b.length < a.length ? b : a));
  };
}

/** Reads rule files. `marks` are the sources of the rules that are in the catalog. */
export const readSources = (
  paths: readonly string[],
  marks: readonly SourceMark[],
  { project, progress }: ReadOptions,
): Promise<ImportPlan> => planImport(paths, { progress, project, baseOf: createBases(marks) });

export function toSourceState(
  { entries, scopes, read, unreadable }: ImportPlan,
  options: Pick<SourceState, 'removed' | 'restoresRemoved'>,
): SourceState {
  const sections = entries.flatMap((input): readonly SourceSection[] => {
    const mark = sourceMarkOf(input);
    return mark === undefined ? [] : [{ input, mark }];
  });
  return { scopes, sections, read, unreadable, ...options };
}

/** As the user would name it. */
export const toShownPath = (absolute: string): string => relative('', absolute) || '.';
