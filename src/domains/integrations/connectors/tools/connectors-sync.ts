import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { syncAnswer, syncNowInput } from '../connectors-model.ts';

export const connectorsSync = defineTool({
  name: 'connectors_sync',
  title: 'Sync a connector now',
  summary: 'Runs a sync and waits for its end.',
  guide: {
    when: ['you are at a terminal, or in a scheduled command'],
    example: { provider: 'folder' },
  },
  effect: 'create',
  expose: ['cli'],
  command: 'connectors sync',
  bulk: true,
  streams: true,
  audit: 'none',
  failOn: ['failed', 'nothing'],
  input: syncNowInput,
  output: syncAnswer,
  faults: ['PROVIDER_NOT_FOUND', 'CONNECTOR_NOT_FOUND', 'VALIDATION_ERROR'],
  findFailure: ({ status, error }, failOn) =>
    failOn === 'failed' && status === 'failed' ? (error?.message ?? 'The sync failed') : undefined,
  run: ({ syncs }: Pick<Integrations, 'syncs'>, input, call) => syncs.syncNow(input, call),
});
