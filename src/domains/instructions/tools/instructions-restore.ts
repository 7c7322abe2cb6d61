import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  restored: z.int(),
  restoredIds: z.array(z.string()),
  existing: z.array(z.string()).describe('In the catalog already'),
  missing: z.array(z.string()).describe('Not in the archive'),
  hash: z.string(),
});

export type RestoreAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsRestore = defineTool({
  name: 'instructions/restore',
  title: 'Restore removed instructions',
  summary: 'Restores the newest archived copy of each id.',
  guide: {
    when: ['an instruction was removed by mistake'],
    whileShut:
      'Propose it again: instructions/listArchived shows what was removed, instructions/propose {"entry": {"id", "body", …}, "reason"} proposes it. An admin restores it with fourfold instructions restore <id> or in the dashboard, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: { ids: ['commit-style'] },
  },
  effect: 'create',
  gated: true,
  // It adds rules.
  scope: 'admin',
  stable: false,
  idempotent: true,
  input: z.strictObject({ ids: z.array(z.string()).min(1) }),
  output: outputSchema,
  faults: ['MUTATION_DISABLED', 'RESOURCE_LIMIT', 'CONFLICT', 'PERMISSION_DENIED'],
  run: ({ writes }: Pick<Instructions, 'writes'>, input, call) => writes.restore(call, input),
});
