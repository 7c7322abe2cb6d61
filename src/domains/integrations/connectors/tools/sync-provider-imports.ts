import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { syncAnswer, syncInput } from '../connectors-model.ts';

const minuteMs = 60_000;

export const syncProviderImports = defineTool({
  name: 'sync_provider_imports',
  title: 'Sync a provider',
  summary: 'Imports what is new at a connected provider, in the background.',
  guide: {
    when: ['you need the newest mails, issues or entries of a connected service'],
    not: ['you want to know what is connected: connectors_list'],
    example: { provider: 'rss' },
  },
  effect: 'create',
  expose: ['mcp', 'http'],
  audit: 'none',
  rate: { limit: 5, windowMs: minuteMs },
  // An agent asks for the state until the run is over.
  unlimitedWhen: ({ sync_run_id }) => sync_run_id !== undefined,
  input: syncInput,
  output: syncAnswer,
  faults: ['PROVIDER_NOT_FOUND', 'CONNECTOR_NOT_FOUND', 'VALIDATION_ERROR', 'NOT_FOUND', 'RATE_LIMIT_EXCEEDED'],
  guarantees: {
    consistency: 'bounded',
    delayMaxMs: 5_000,
    deterministic: true,
    why: 'The records are imported in the background; the same call with sync_run_id answers how far it is.',
  },
  run: ({ syncs }: Pick<Integrations, 'syncs'>, input, call) => syncs.sync(input, call),
});
