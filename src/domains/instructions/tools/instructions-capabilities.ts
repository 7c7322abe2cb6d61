import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { searchModes } from '../reads/search/search-hits.ts';

const outputSchema = z.object({
  version: z.string(),
  protocolVersion: z.string(),
  supportedActions: z.array(z.string()),
  mutationEnabled: z.boolean(),
  features: z.object({
    advancedQuery: z.boolean(),
    bulkOperations: z.boolean(),
    governanceTracking: z.boolean(),
    usageAnalytics: z.boolean(),
  }),
  searchModes: z.array(z.enum(searchModes)).describe('The modes that instructions_search supports here'),
  limits: z.object({ maxBatchSize: z.int(), maxQueryResults: z.int(), maxFileSize: z.int() }),
});

export type Capabilities = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsCapabilities = defineTool({
  name: 'instructions/capabilities',
  title: 'Catalog capabilities',
  summary: 'Returns the actions, features and limits of the catalog, and whether it can be changed now.',
  guide: { when: ['you connect and want to know what is supported'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: outputSchema,
  faults: [],
  run: ({ reads }: Pick<Instructions, 'reads'>) => reads.capabilities(),
});
