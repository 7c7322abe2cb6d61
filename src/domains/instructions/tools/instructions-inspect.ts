import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { inspectScopes } from '../reads/inspect-catalog.ts';
import { anyId } from './read-schemas.ts';

type Domain = Pick<Instructions, 'reads'>;

const facts = z.record(z.string(), z.unknown());

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
  input: z.strictObject({
    id: anyId.optional(),
    scope: z.enum(inspectScopes).optional().describe('Default: instruction with an id, else catalog'),
  }),
  output: z.object({
    timestamp: z.string(),
    scope: z.enum(inspectScopes),
    id: z.string().optional(),
    notFound: z.literal(true).optional(),
    data: z.object({ raw: facts, normalized: facts, validation: facts, metadata: facts, filesystem: facts }),
  }),
  faults: ['INVALID_PARAMS'],
  run: ({ reads }: Domain, input, call) => reads.inspect(input, call),
});
