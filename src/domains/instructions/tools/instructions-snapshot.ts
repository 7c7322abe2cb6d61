import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import { toBulkDeps } from '../exchange/bulk-deps.ts';
import { fetchAll } from '../exchange/catalog-client.ts';
import type { Instructions } from '../instructions.ts';
import { toManifestText } from '../integrity/integrity.ts';
import { findDrift, manifestReport } from './integrity-manifest.ts';

export const instructionsSnapshot = defineTool({
  name: 'instructions_snapshot',
  title: 'Record the catalog for drift checks',
  summary: 'Records the current rules; integrity manifest then reports what changed since.',
  guide: { when: ['the catalog was reviewed and drift should be measured from here'], example: {} },
  effect: 'update',
  expose: ['cli'],
  bulk: true,
  audit: 'none',
  failOn: ['drift'],
  findFailure: ({ check }) => (check === undefined ? undefined : findDrift(check, 'missing')),
  input: z.strictObject({
    check: z.boolean().default(false).describe('Only compares the rules with the recorded ones, and writes nothing'),
  }),
  output: z.object({
    file: z.string(),
    count: z.int(),
    hash: z.string(),
    check: manifestReport.optional().describe('With --check: what differs from the file'),
  }),
  faults: [],
  readsWhen: ({ check }) => check,
  async run({ exchange, integrity }: Pick<Instructions, 'exchange' | 'integrity'>, { check }, call) {
    const { ask, progress } = toBulkDeps(exchange, call);
    const { entries, hash } = await fetchAll(ask, (done, total) => progress(done, total, 'reading'));
    const recorded = { file: exchange.snapshotFile, count: entries.length, hash };
    if (check) return { ...recorded, check: await integrity.manifest(call) };
    await exchange.saveSnapshot(toManifestText(entries));
    return recorded;
  },
});
