import { cutText } from '#kernel/fault/bound-fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { instructionLimits } from '../instruction-limits.ts';
import { isCandidate } from '../rules/candidates.ts';
import { sourceMarkOf } from '../rules/source-mark.ts';
import type { BulkDeps } from './bulk-deps.ts';
import { type ImportOptions, importPlan } from './import-files.ts';
import { planSentFiles, type SentFile } from './plan-import.ts';
import type { RuleSync } from './read-sources.ts';

export interface SentOptions extends Pick<ImportOptions, 'mode' | 'dryRun'> {
  readonly files: readonly SentFile[];
  readonly project: string;
}

type Rules = Awaited<ReturnType<typeof importPlan>>['rules'];

const toItem = ({ entry, state }: Rules[number]) => ({
  id: entry.id,
  title: entry.title ?? entry.id,
  source: sourceMarkOf(entry)?.file ?? '',
  state,
  requirement: entry.requirement ?? 'optional',
  candidate: isCandidate(entry),
  ...(entry.appliesTo !== undefined && { appliesTo: entry.appliesTo }),
  ...(entry.description !== undefined && { description: cutText(entry.description, instructionLimits.previewChars) }),
  text: cutText(entry.body, instructionLimits.sentPreviewChars),
});

/** Imports rule files that a browser sends, or shows what an import would do. */
export async function importSentFiles(deps: BulkDeps & { readonly sync: RuleSync }, options: SentOptions) {
  const { files, project, ...rest } = options;
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > instructionLimits.ruleFileBytes) {
    throw faults.RESOURCE_LIMIT({ what: 'The files together', limit: instructionLimits.ruleFileBytes, unit: 'bytes' });
  }
  const { answer, rules } = await importPlan(deps, planSentFiles(files, project), rest);
  const { reportItemsCount, sentRulesCount } = instructionLimits;
  const { ids: _ids, ...counts } = answer;
  return {
    ...counts,
    rules: rules.slice(0, sentRulesCount).map(toItem),
    skippedCount: answer.skipped.length,
    skipped: answer.skipped.slice(0, reportItemsCount),
    warnings: answer.warnings.slice(0, reportItemsCount),
    errorCount: answer.errors.length,
    errors: answer.errors.slice(0, reportItemsCount),
  };
}
