import { defineToolset } from '#kernel/tool/tool.ts';
import { connectorsAdd } from './connectors/tools/connectors-add.ts';
import { connectorsCancel } from './connectors/tools/connectors-cancel.ts';
import { connectorsList } from './connectors/tools/connectors-list.ts';
import { connectorsRemove } from './connectors/tools/connectors-remove.ts';
import { connectorsSync } from './connectors/tools/connectors-sync.ts';
import { listProviderCatalog } from './connectors/tools/list-provider-catalog.ts';
import { syncProviderImports } from './connectors/tools/sync-provider-imports.ts';
import type { Integrations } from './integrations.ts';
import { importMemories } from './moving-in/tools/import-memories.ts';
import { plaidCreateLinkToken } from './plaid/tools/plaid-create-link-token.ts';
import { plaidExchangePublicToken } from './plaid/tools/plaid-exchange-public-token.ts';
import { plaidListItems } from './plaid/tools/plaid-list-items.ts';
import { plaidSync } from './plaid/tools/plaid-sync.ts';
import { getProductAnalyticsTool } from './product-analytics/tools/get-product-analytics.ts';
import { getTechnicalMetricsTool } from './technical-metrics/tools/get-technical-metrics.ts';

export const integrationsToolset = defineToolset<Integrations>({
  name: 'integrations',
  faultForm: 'traced',
  tools: [
    importMemories,
    listProviderCatalog,
    syncProviderImports,
    connectorsAdd,
    connectorsList,
    connectorsRemove,
    connectorsSync,
    connectorsCancel,
    plaidCreateLinkToken,
    plaidExchangePublicToken,
    plaidSync,
    plaidListItems,
    getTechnicalMetricsTool,
    getProductAnalyticsTool,
  ],
});
