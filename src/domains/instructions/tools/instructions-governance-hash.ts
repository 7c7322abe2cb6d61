import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import { tiers } from '../entry-model.ts';
import type { Instructions } from '../instructions.ts';
import { cutFields, limitField, offsetField } from './read-schemas.ts';

const projection = {
  id: z.string(),
  title: z.string(),
  version: z.string(),
  owner: z.string(),
  priorityTier: z.enum(tiers),
  nextReviewDue: z.string(),
  semanticSummarySha256: z.string(),
  changeLogLength: z.int(),
};

const outputSchema = z.object({
  count: z.int(),
  governanceHash: z.string(),
  algorithm: z.literal('sha256'),
  items: z.array(z.object({ ...projection, governance: z.object(projection), hash: z.string() })).optional(),
  ...cutFields,
});

export type GovernanceHashResult = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsGovernanceHash = defineTool({
  name: 'instructions/governanceHash',
  title: 'Governance hash',
  summary: 'One hash over owner, version, tier and review date of all entries, not their bodies.',
  guide: {
    when: ['a build must fail when governance changed'],
    example: { includeItems: false },
  },
  effect: 'read',
  input: z.strictObject({
    includeItems: z.boolean().default(true).describe('Also per entry'),
    limit: limitField,
    offset: offsetField,
  }),
  output: outputSchema,
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Pick<Instructions, 'reads'>, input, call) => reads.governanceHash(input, call),
});
