import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { toBulkDeps } from '../exchange/bulk-deps.ts';
import { seedCatalog } from '../exchange/starter-catalog.ts';
import type { Instructions } from '../instructions.ts';

export const seedReport = z.object({
  added: z.int(),
  kept: z.int(),
  ids: z.array(z.string()),
  errors: z.array(z.object({ index: z.int(), id: z.string().optional(), error: z.string(), code: z.string() })),
});

export const instructionsSeed = defineTool({
  name: 'instructions_seed',
  title: 'Add a starter catalog',
  summary: 'Adds a small starter catalog. Entries that exist stay as they are.',
  guide: { when: ['the catalog is empty and you want to see what entries look like'], example: {} },
  effect: 'create',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  input: z.strictObject({}),
  output: seedReport,
  faults: ['MUTATION_DISABLED'],
  run: ({ exchange }: Pick<Instructions, 'exchange'>, _input, call) => seedCatalog(toBulkDeps(exchange, call)),
});
