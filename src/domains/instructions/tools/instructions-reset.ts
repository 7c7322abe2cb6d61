import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { toBulkDeps } from '../exchange/bulk-deps.ts';
import { resetCatalog } from '../exchange/reset-catalog.ts';
import type { Instructions } from '../instructions.ts';
import { seedReport } from './instructions-seed.ts';

export const instructionsReset = defineTool({
  name: 'instructions_reset',
  title: 'Reset the catalog',
  summary: 'Makes a backup, then empties the catalog or replaces it with the starter catalog.',
  guide: { when: ['you want to start over'], example: { empty: true } },
  effect: 'delete',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  input: z.strictObject({
    empty: z.boolean().default(false).describe('Leaves the catalog empty'),
    seed: z.boolean().default(false).describe('Adds the starter catalog'),
  }),
  output: z.object({ backup: z.string(), removed: z.int(), seeded: seedReport.optional() }),
  faults: ['CONFIG_ERROR', 'CONFLICT', 'MUTATION_DISABLED'],
  run({ exchange }: Pick<Instructions, 'exchange'>, { empty, seed }, call) {
    if (empty === seed) throw faults.CONFIG_ERROR({ why: 'choose either --empty or --seed' });
    return resetCatalog({ ...exchange, ...toBulkDeps(exchange, call) }, { mode: seed ? 'seed' : 'empty' });
  },
});
