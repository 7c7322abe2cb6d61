import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { anyId } from './read-schemas.ts';

const inspectScopes = ['catalog', 'instruction', 'governance', 'usage'] as const;

const facts = z.record(z.string(), z.unknown());

const inputSchema = z.strictObject({
  id: anyId.optional(),
  scope: z.enum(inspectScopes).optional().describe('Default: instruction with an id, else catalog'),
});

const outputSchema = z.object({
  timestamp: z.string(),
  scope: z.enum(inspectScopes),
  id: z.string().optional(),
  notFound: z.literal(true).optional(),
  data: z.object({ raw: facts, normalized: facts, validation: facts, metadata: facts, filesystem: facts }),
});

export type InspectResult = DeepReadonly<z.infer<typeof outputSchema>>;
export type InspectInput = DeepReadonly<z.infer<typeof inputSchema>>;

export const instructionsInspect = defineTool({
  name: 'instructions/inspect',
  title: 'Inspect the catalog',
  summary:
    'Returns details of the catalog, an instruction, its governance or its usage: raw, normalised and validated.',
  guide: {
    when: ['an entry or the catalog is not as you expect'],
    example: { scope: 'instruction', id: 'commit-messages' },
  },
  effect: 'read',
  stable: false,
  input: inputSchema,
  output: outputSchema,
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.inspect(input, call),
});
