import type { AnyTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { instructionsAdd } from './tools/add.ts';
import { instructionsEnrich } from './tools/enrich.ts';
import { instructionsGovernanceUpdate } from './tools/governance-update.ts';
import { instructionsGroom } from './tools/groom.ts';
import { instructionsImport } from './tools/import.ts';
import { instructionsListArchived } from './tools/list-archived.ts';
import { instructionsReload } from './tools/reload.ts';
import { instructionsRemove } from './tools/remove.ts';
import { instructionsRepair } from './tools/repair.ts';
import { instructionsRestore } from './tools/restore.ts';

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
