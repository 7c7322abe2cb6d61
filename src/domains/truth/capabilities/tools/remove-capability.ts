import { z } from 'zod';
import { restoreCall } from '#kernel/tool/restore-call.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';

export const removeCapability = defineTool({
  name: 'remove_capability',
  title: 'Remove a capability',
  summary: 'Removes a registered capability. Its payloads and observations stay; the answer contains its definition.',
  guide: {
    when: ['a capability was registered by mistake or replaced by a new version'],
    not: ['you want to change a value from a payload: correct_entity'],
    example: { capability_id: 'acme:store_ticket:v1' },
  },
  effect: 'delete',
  input: z.strictObject({ capability_id: z.string().max(200) }),
  output: z.object({ capability_id: z.string(), removed: z.boolean(), restore: restoreCall }),
  faults: ['UNKNOWN_CAPABILITY', 'VALIDATION_ERROR', 'DB_DELETE_FAILED'],
  guarantees: { consistency: 'strong', deterministic: true },
  run: ({ capabilities }: Pick<Truth, 'capabilities'>, { capability_id }, call) =>
    capabilities.remove(capability_id, call),
});
