import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Integrations } from '../../integrations.ts';

export const connectorsRemove = defineTool({
  name: 'connectors_remove',
  title: 'Disconnect',
  summary: 'Forgets a connector and its password or token. What it brought in stays.',
  guide: {
    when: ['an account or folder must not be read any more'],
    example: { connector_id: '0198c7a2-7b1e-7e6a-9d0c-3f1f5a0b2c4d' },
  },
  effect: 'delete',
  scope: 'admin',
  command: 'connectors remove',
  input: z.strictObject({ connector_id: z.string().min(1).max(64) }),
  output: z.object({ connector_id: z.string(), removed: z.boolean() }),
  faults: ['CONNECTOR_NOT_FOUND'],
  run: ({ connectors }: Pick<Integrations, 'connectors'>, { connector_id }, call) =>
    connectors.remove(connector_id, call),
});
