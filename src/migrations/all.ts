import type { Migration } from '#kernel/storage/migration.ts';
import { kernelTables } from './0001-kernel.ts';
import { searchTables } from './0002-search.ts';
import { apiKeyTables } from './0003-api-keys.ts';
import { instructionTables } from './0004-instructions.ts';
import { usageFeedbackTables } from './0005-usage-feedback.ts';
import { notebookTables } from './0006-notebooks.ts';
import { meaningTables } from './0007-meaning.ts';
import { truthTables } from './0008-truth.ts';
import { knowledgeTables } from './0009-knowledge.ts';
import { tenantsTable } from './0010-tenants.ts';
import { rowHashes } from './0011-row-hashes.ts';
import { keyUseColumn } from './0012-key-use.ts';
import { truthTimes } from './0013-truth-times.ts';
import { relationshipStatements } from './0014-relationship-statements.ts';
import { entitySearchTables } from './0015-entity-search.ts';
import { contradictionTables } from './0016-contradictions.ts';
import { dueEntitiesIndex } from './0017-due-entities.ts';
import { instructionVersions } from './0018-instruction-versions.ts';
import { instructionProposals } from './0019-instruction-proposals.ts';
import { instructionOrigins } from './0020-instruction-origins.ts';
import { servedRules } from './0021-served-rules.ts';
import { movedItems } from './0022-moved-items.ts';
import { plaidItems } from './0023-plaid-items.ts';
import { analyticsTables } from './0024-analytics.ts';
import { connectorTables } from './0025-connectors.ts';
import { cellOrder } from './0026-cell-order.ts';
import { rememberedItems } from './0027-remembered-items.ts';
import { signInColumns } from './0028-sign-in.ts';
import { administration } from './0029-administration.ts';
import { cellHistory } from './0030-cell-history.ts';
import { recallReceipts } from './0031-recall-receipts.ts';
import { removedRulesIndex } from './0032-removed-rules.ts';
import { forgetting } from './0033-forgetting.ts';
import { tokenSigns } from './0034-token-signs.ts';
import { entityPlaces } from './0035-entity-places.ts';

/** One global order. A new migration goes to the end. */
export const migrations: readonly Migration[] = [
  kernelTables,
  searchTables,
  apiKeyTables,
  instructionTables,
  usageFeedbackTables,
  notebookTables,
  meaningTables,
  truthTables,
  knowledgeTables,
  tenantsTable,
  rowHashes,
  keyUseColumn,
  truthTimes,
  relationshipStatements,
  entitySearchTables,
  contradictionTables,
  dueEntitiesIndex,
  instructionVersions,
  instructionProposals,
  instructionOrigins,
  servedRules,
  movedItems,
  plaidItems,
  analyticsTables,
  connectorTables,
  cellOrder,
  rememberedItems,
  signInColumns,
  administration,
  cellHistory,
  recallReceipts,
  removedRulesIndex,
  forgetting,
  tokenSigns,
  entityPlaces,
];
