import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { toBulkDeps } from '../exchange/bulk-deps.ts';
import { fetchAll } from '../exchange/catalog-client.ts';
import type { Instructions } from '../instructions.ts';
import { toManifestText } from '../integrity/integrity.ts';

export const instructionsSnapshot = defineTool({
  name: 'instructions_snapshot',
  title: 'Record the catalog for drift checks',
  summary: 'Records the current rules; integrity manifest then reports what changed since.',
  guide: { when: ['the catalog was reviewed and drift should be measured from here'], example: {} },
  effect: 'update',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  input: z.strictObject({}),
  output: z.object({ file: z.string(), count: z.int(), hash: z.string() }),
  faults: [],
  async run({ exchange }: Pick<Instructions, 'exchange'>, _input, call) {
    const { ask, progress } = toBulkDeps(exchange, call);
    const { entries, hash } = await fetchAll(ask, (done, total) => progress(done, total, 'reading'));
    return { file: await exchange.saveSnapshot(toManifestText(entries)), count: entries.length, hash };
  },
});
