import { type AnyTool, defineToolset } from '#kernel/tool/tool.ts';
import type { Instructions } from './instructions.ts';
import { feedbackGet } from './tools/feedback-get.ts';
import { feedbackHealth } from './tools/feedback-health.ts';
import { feedbackList } from './tools/feedback-list.ts';
import { feedbackStats } from './tools/feedback-stats.ts';
import { feedbackSubmit } from './tools/feedback-submit.ts';
import { feedbackUpdate } from './tools/feedback-update.ts';
import { gatesEvaluate } from './tools/gates-evaluate.ts';
import { instructionsAdd } from './tools/instructions-add.ts';
import { instructionsApplicable } from './tools/instructions-applicable.ts';
import { instructionsApprove } from './tools/instructions-approve.ts';
import { instructionsBatch } from './tools/instructions-batch.ts';
import { instructionsCapabilities } from './tools/instructions-capabilities.ts';
import { instructionsCategories } from './tools/instructions-categories.ts';
import { instructionsCompare } from './tools/instructions-compare.ts';
import { instructionsDiff } from './tools/instructions-diff.ts';
import { instructionsDir } from './tools/instructions-dir.ts';
import { instructionsDispatch } from './tools/instructions-dispatch.ts';
import { instructionsEnrich } from './tools/instructions-enrich.ts';
import { instructionsExport } from './tools/instructions-export.ts';
import { instructionsExportFiles } from './tools/instructions-export-files.ts';
import { instructionsGet } from './tools/instructions-get.ts';
import { instructionsGetEnhanced } from './tools/instructions-get-enhanced.ts';
import { instructionsGovernanceHash } from './tools/instructions-governance-hash.ts';
import { instructionsGovernanceUpdate } from './tools/instructions-governance-update.ts';
import { instructionsGroom } from './tools/instructions-groom.ts';
import { instructionsHealth } from './tools/instructions-health.ts';
import { instructionsHistory } from './tools/instructions-history.ts';
import { instructionsImport } from './tools/instructions-import.ts';
import { instructionsImportFiles } from './tools/instructions-import-files.ts';
import { instructionsImportTexts } from './tools/instructions-import-texts.ts';
import { instructionsInspect } from './tools/instructions-inspect.ts';
import { instructionsList } from './tools/instructions-list.ts';
import { instructionsListArchived } from './tools/instructions-list-archived.ts';
import { instructionsListScoped } from './tools/instructions-list-scoped.ts';
import { instructionsProposals } from './tools/instructions-proposals.ts';
import { instructionsPropose } from './tools/instructions-propose.ts';
import { instructionsQuery } from './tools/instructions-query.ts';
import { instructionsReject } from './tools/instructions-reject.ts';
import { instructionsReload } from './tools/instructions-reload.ts';
import { instructionsRemove } from './tools/instructions-remove.ts';
import { instructionsRepair } from './tools/instructions-repair.ts';
import { instructionsReset } from './tools/instructions-reset.ts';
import { instructionsRestore } from './tools/instructions-restore.ts';
import { instructionsRollback } from './tools/instructions-rollback.ts';
import { instructionsSearch } from './tools/instructions-search.ts';
import { instructionsSeed } from './tools/instructions-seed.ts';
import { instructionsSnapshot } from './tools/instructions-snapshot.ts';
import { instructionsSync } from './tools/instructions-sync.ts';
import { integrityManifest } from './tools/integrity-manifest.ts';
import { integrityVerify } from './tools/integrity-verify.ts';
import { promptReview } from './tools/prompt-review.ts';
import { usageFlush } from './tools/usage-flush.ts';
import { usageHotset } from './tools/usage-hotset.ts';
import { usageTrack } from './tools/usage-track.ts';

export const writeTools: readonly AnyTool<Pick<Instructions, 'writes'>>[] = [
  instructionsAdd,
  instructionsImport,
  instructionsRemove,
  instructionsRestore,
  instructionsListArchived,
  instructionsReload,
  instructionsGroom,
  instructionsRepair,
  instructionsEnrich,
  instructionsGovernanceUpdate,
];

export const usageTools = [usageTrack, usageHotset, usageFlush] as const;

export const reviewTools = [promptReview] as const;

export const readTools = [
  instructionsDispatch,
  instructionsApplicable,
  instructionsList,
  instructionsListScoped,
  instructionsGet,
  instructionsGetEnhanced,
  instructionsSearch,
  instructionsQuery,
  instructionsCategories,
  instructionsDir,
  instructionsDiff,
  instructionsExport,
  instructionsCapabilities,
  instructionsHealth,
  instructionsInspect,
  instructionsGovernanceHash,
  instructionsBatch,
] as const;

const historyTools = [instructionsHistory, instructionsCompare, instructionsRollback] as const;

const proposalTools = [instructionsPropose, instructionsProposals, instructionsApprove, instructionsReject] as const;

export const integrityTools = [integrityVerify, integrityManifest] as const;

export const gateTools = [gatesEvaluate] as const;

export const feedbackTools = [
  feedbackSubmit,
  feedbackList,
  feedbackGet,
  feedbackUpdate,
  feedbackStats,
  feedbackHealth,
] as const;

const exchangeTools = [
  instructionsImportFiles,
  instructionsImportTexts,
  instructionsSync,
  instructionsExportFiles,
  instructionsSnapshot,
  instructionsSeed,
  instructionsReset,
] as const;

export const instructionsToolset = defineToolset<Instructions>({
  name: 'instructions',
  faultForm: 'numeric',
  tools: [
    ...readTools,
    ...writeTools,
    ...usageTools,
    ...feedbackTools,
    ...reviewTools,
    ...gateTools,
    ...integrityTools,
    ...historyTools,
    ...proposalTools,
    ...exchangeTools,
  ],
});
