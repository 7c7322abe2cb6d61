import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

const nothingFound =
  'No tool matches. Tools are described in English: use other, English words. meta/tools lists all tools.';

export const toolsFind = defineTool({
  name: 'tools_find',
  title: 'Find a tool',
  summary: 'Finds tools by what you want, including unlisted ones.',
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
        /** Its parameters, the optional ones with a question mark. The first tool has `inputSchema` instead. */
        call: z.string().optional(),
        summary: z.string(),
        effect: z.string(),
        /** Why it cannot be called now. */
        disabled: z.string().optional(),
        /** Only the first tool has the rest. */
        title: z.string().optional(),
        toolset: z.string().optional(),
        inputSchema: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    hint: z.string().optional(),
  }),
  faults: [],
  async run(system: System, { query, limit }, call) {
    const { tools, absent } = await system.find(query, limit, call);
    if (absent !== undefined) return { tools, hint: absent };
    if (tools.length === 0) return { tools, hint: nothingFound };
    return tools.length === 1 ? { tools } : { tools, hint: 'Search for the name of another tool to see its schema.' };
  },
});
