import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const toolsFind = defineTool({
  name: 'tools_find',
  title: 'Find a tool',
  summary: 'Finds tools by keywords, including unlisted ones.',
  guide: {
    when: ['no listed tool does what you need'],
    example: { query: 'verify the audit trail' },
  },
  effect: 'read',
  listed: true,
  answer: 'page',
  input: z.strictObject({
    query: z.string().min(1).max(400),
    limit: z.int().min(1).max(20).default(5),
  }),
  output: z.object({
    tools: z.array(
      z.object({
        name: z.string(),
        title: z.string(),
        summary: z.string(),
        toolset: z.string(),
        effect: z.string(),
        inputSchema: z.record(z.string(), z.unknown()),
      }),
    ),
    hint: z.string().optional(),
  }),
  faults: [],
  run(system: System, { query, limit }, call) {
    const tools = system.find(query, limit, call);
    return tools.length > 0 ? { tools } : { tools: [], hint: 'No tool matches. meta/tools lists all tools.' };
  },
});
