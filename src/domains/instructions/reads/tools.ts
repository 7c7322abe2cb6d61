import { instructionsApplicable } from './tools/applicable.ts';
import { instructionsBatch } from './tools/batch.ts';
import { instructionsCapabilities } from './tools/capabilities.ts';
import { instructionsCategories } from './tools/categories.ts';
import { instructionsDiff } from './tools/diff.ts';
import { instructionsDir } from './tools/dir.ts';
import { instructionsDispatch } from './tools/dispatch.ts';
import { instructionsExport } from './tools/export.ts';
import { instructionsGet } from './tools/get.ts';
import { instructionsGetEnhanced } from './tools/get-enhanced.ts';
import { instructionsGovernanceHash } from './tools/governance-hash.ts';
import { instructionsHealth } from './tools/health.ts';
import { instructionsInspect } from './tools/inspect.ts';
import { instructionsList } from './tools/list.ts';
import { instructionsListScoped } from './tools/list-scoped.ts';
import { instructionsQuery } from './tools/query.ts';
import { instructionsSearch } from './tools/search.ts';

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
