import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { instructionEntry } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';
import type { Instructions } from '../instructions.ts';
import { anyId, boundedList, limitField, listFields, offsetField } from './read-schemas.ts';

export const instructionsExport = defineTool({
  name: 'instructions/export',
  title: 'Export instructions',
  summary: 'Returns all or some entries in the form that import accepts, with or without bodies.',
  guide: {
    when: ['you want a copy of the catalog or of some entries'],
    example: { ids: ['commit-messages'], metaOnly: true },
  },
  effect: 'read',
  // The CLI command of this name works with files and folders.
  expose: ['mcp', 'http'],
  input: z.strictObject({
    ids: boundedList(anyId, instructionLimits.listCount, 'The list of ids').optional(),
    metaOnly: z.boolean().optional().describe('Without bodies'),
    limit: limitField,
    offset: offsetField,
  }),
  output: z.object({
    ...listFields,
    items: z.array(instructionEntry.partial({ body: true })),
    generatedAt: z.string(),
    missing: z.array(z.string()).optional(),
  }),
  faults: ['INVALID_PARAMS', 'RESOURCE_LIMIT'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.export(input, call),
});
