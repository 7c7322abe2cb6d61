import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';
import { shownConnector } from '../connectors-model.ts';

export const connectorsList = defineTool({
  name: 'connectors_list',
  title: 'Connectors',
  summary: 'Lists what is connected, without passwords and tokens.',
  guide: { when: ['you need the connector_id for sync_provider_imports or connectors_remove'], example: {} },
  effect: 'read',
  command: 'connectors list',
  input: z.strictObject({}),
  output: z.object({ connectors: z.array(shownConnector) }),
  faults: [],
  run: async ({ connectors }: Pick<Integrations, 'connectors'>, _input, call) => ({
    connectors: await connectors.list(call),
  }),
});
