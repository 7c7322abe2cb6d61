import type { ToolCall } from '#kernel/tool/tool.ts';
import { createConnectors } from './connectors/connectors.ts';
import { providerCatalog } from './connectors/provider-catalog.ts';
import { createSyncs, type SyncsDeps } from './connectors/syncs.ts';
import { type MoveInput, moveIn } from './moving-in/move-in.ts';
import { createPlaid } from './plaid/plaid.ts';
import type { PlaidDeps } from './plaid/plaid-items.ts';

import { createProductAnalytics, type ProductAnalyticsDeps } from './product-analytics/product-analytics.ts';
import { createTechnicalMetrics, type TechnicalMetricsDeps } from './technical-metrics/technical-metrics.ts';

export interface IntegrationsDeps extends SyncsDeps, PlaidDeps {
  readonly metrics: Omit<TechnicalMetricsDeps, 'clock'>;
  readonly analytics: Omit<ProductAnalyticsDeps, 'clock'>;
}

export type Integrations = ReturnType<typeof createIntegrations>;

export function createIntegrations(deps: IntegrationsDeps) {
  const { storage, clock, metrics, analytics } = deps;
  const syncs = createSyncs(deps);
  const catalog = { providers: providerCatalog };
  return {
    moveIn: (input: MoveInput, call: ToolCall) => moveIn(storage, input, call),
    getTechnicalMetrics: createTechnicalMetrics({ clock, ...metrics }),
    getProductAnalytics: createProductAnalytics({ clock, ...analytics }),
    catalog,
    connectors: createConnectors(deps),
    syncs,
    plaid: createPlaid(deps),
    close: () => syncs.close(),
  };
}
