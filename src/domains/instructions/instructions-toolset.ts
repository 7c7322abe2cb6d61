import { type AnyTool, defineToolset } from '#kernel/tool/tool.ts';
import { instructionsExportFiles } from './exchange/tools/instructions-export-files.ts';
import { instructionsImportFiles } from './exchange/tools/instructions-import-files.ts';
import { instructionsReset } from './exchange/tools/instructions-reset.ts';
import { instructionsSeed } from './exchange/tools/instructions-seed.ts';
import { instructionsSnapshot } from './exchange/tools/instructions-snapshot.ts';
import { feedbackGet } from './feedback/tools/feedback-get.ts';
import { feedbackHealth } from './feedback/tools/feedback-health.ts';
import { feedbackList } from './feedback/tools/feedback-list.ts';
import { feedbackStats } from './feedback/tools/feedback-stats.ts';
import { feedbackSubmit } from './feedback/tools/feedback-submit.ts';
import { feedbackUpdate } from './feedback/tools/feedback-update.ts';
import { gatesEvaluate } from './gates/tools/gates-evaluate.ts';
import type { Instructions } from './instructions.ts';
import { integrityManifest } from './integrity/tools/integrity-manifest.ts';
import { integrityVerify } from './integrity/tools/integrity-verify.ts';
import { instructionsApplicable } from './reads/tools/applicable.ts';
import { instructionsBatch } from './reads/tools/batch.ts';
import { instructionsCapabilities } from './reads/tools/capabilities.ts';
import { instructionsCategories } from './reads/tools/categories.ts';
import { instructionsDiff } from './reads/tools/diff.ts';
import { instructionsDir } from './reads/tools/dir.ts';
import { instructionsDispatch } from './reads/tools/dispatch.ts';
import { instructionsExport } from './reads/tools/export.ts';
import { instructionsGet } from './reads/tools/get.ts';
import { instructionsGetEnhanced } from './reads/tools/get-enhanced.ts';
import { instructionsGovernanceHash } from './reads/tools/governance-hash.ts';
import { instructionsHealth } from './reads/tools/health.ts';
import { instructionsInspect } from './reads/tools/inspect.ts';
import { instructionsList } from './reads/tools/list.ts';
import { instructionsListScoped } from './reads/tools/list-scoped.ts';
import { instructionsQuery } from './reads/tools/query.ts';
import { instructionsSearch } from './reads/tools/search.ts';
import { promptReview } from './review/tools/prompt-review.ts';
import { usageFlush } from './usage/tools/usage-flush.ts';
import { usageHotset } from './usage/tools/usage-hotset.ts';
import { usageTrack } from './usage/tools/usage-track.ts';
import { instructionsAdd } from './writes/tools/add.ts';
import { instructionsEnrich } from './writes/tools/enrich.ts';
import { instructionsGovernanceUpdate } from './writes/tools/governance-update.ts';
import { instructionsGroom } from './writes/tools/groom.ts';
import { instructionsImport } from './writes/tools/import.ts';
import { instructionsListArchived } from './writes/tools/list-archived.ts';
import { instructionsReload } from './writes/tools/reload.ts';
import { instructionsRemove } from './writes/tools/remove.ts';
import { instructionsRepair } from './writes/tools/repair.ts';
import { instructionsRestore } from './writes/tools/restore.ts';

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
    ...exchangeTools,
  ],
});
