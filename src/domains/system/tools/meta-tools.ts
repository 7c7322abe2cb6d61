import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

const schema = z.record(z.string(), z.unknown());
const guarantees = z.object({
  consistency: z.enum(['strong', 'bounded']),
  delayMaxMs: z.int().optional(),
  deterministic: z.boolean(),
  why: z.string().optional(),
});
const line = z.object({ method: z.string(), stable: z.boolean(), mutation: z.boolean() });

export const metaTools = defineTool({
  name: 'meta/tools',
  title: 'Tool registry',
  summary: 'Returns the whole registry: all tools, listed or not, with their schemas and which are disabled.',
  guide: {
    when: ['a client validates or caches the registry'],
    not: ['you look for one tool: tools_find returns less'],
    example: {},
  },
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    tools: z.array(line.extend({ disabled: z.literal(true).optional() })),
    stable: z.object({ tools: z.array(line) }),
    dynamic: z.object({
      generatedAt: z.string(),
      mutationEnabled: z.boolean(),
      disabled: z.array(z.object({ method: z.string() })),
    }),
    mcp: z.object({
      registryVersion: z.string(),
      tools: z.array(
        z.object({
          name: z.string(),
          description: z.string(),
          stable: z.boolean(),
          mutation: z.boolean(),
          inputSchema: schema,
          outputSchema: schema.optional(),
          guarantees: guarantees.optional(),
        }),
      ),
    }),
  }),
  faults: [],
  run: (system: System) => system.describe(),
});
