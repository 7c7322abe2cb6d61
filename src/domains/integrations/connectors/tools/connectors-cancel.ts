import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { cancelInput, syncAnswer } from '../connectors-model.ts';

export const connectorsCancel = defineTool({
  name: 'connectors_cancel',
  title: 'Cancel a sync',
  summary: 'Stops the running sync of a connector after its current page. What it has brought in stays.',
  guide: {
    when: ['a sync runs in another program and must stop'],
    not: ['you have its sync_run_id: sync_provider_imports with cancel'],
    example: { provider: 'folder' },
  },
  effect: 'update',
  expose: ['cli'],
  command: 'connectors cancel',
  audit: 'none',
  input: cancelInput,
  output: syncAnswer,
  faults: ['PROVIDER_NOT_FOUND', 'CONNECTOR_NOT_FOUND', 'VALIDATION_ERROR', 'NOT_FOUND'],
  run: ({ syncs }: Pick<Integrations, 'syncs'>, input, call) => syncs.cancel(input, call),
});
