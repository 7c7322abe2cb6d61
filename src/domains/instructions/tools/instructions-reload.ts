import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({ reloaded: z.literal(true), hash: z.string(), count: z.int() });

export type ReloadAnswer = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsReload = defineTool({
  name: 'instructions/reload',
  title: 'Reload the catalog',
  summary: 'Reads all instructions again.',
  guide: {
    when: ['the catalog seems to differ from the folder'],
    not: ['one entry is missing: instructions/getEnhanced reads its file'],
    whileShut:
      'Nothing to do for changes on disk: they are served without a reload. instructions/getEnhanced reads one entry, instructions/propose proposes a change. An admin runs fourfold instructions reload, or starts the server with MCP_ENABLE_MUTATION=1.',
    example: {},
  },
  effect: 'update',
  gated: true,
  stable: false,
  idempotent: true,
  input: z.strictObject({}),
  output: outputSchema,
  faults: ['MUTATION_DISABLED'],
  run: ({ writes }: Pick<Instructions, 'writes'>, _input, call) => writes.reload(call),
});
