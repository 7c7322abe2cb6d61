import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { addInput, shownConnector } from '../connectors-model.ts';

export const connectorsAdd = defineTool({
  name: 'connectors_add',
  title: 'Connect a provider',
  summary: 'Connects a mailbox, feed, calendar, repository or folder, so that it can be synced.',
  guide: {
    when: ['you want mail, feeds, issues or files of another service in this memory'],
    example: { provider: 'folder', address: 'notes' },
  },
  effect: 'create',
  scope: 'admin',
  // It may wait for a person at the browser.
  bulk: true,
  streams: true,
  // A password must not pass through an agent.
  expose: ['cli'],
  command: 'connectors add',
  positionals: ['provider', 'address'],
  input: addInput,
  output: shownConnector,
  faults: ['PROVIDER_NOT_FOUND', 'VALIDATION_ERROR', 'NOT_FOUND', 'SYNC_FAILED', 'LOGIN_FAILED'],
  run: ({ connectors }: Pick<Integrations, 'connectors'>, input, call) => connectors.add(input, call),
});
