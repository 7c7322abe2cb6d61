import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';

export const truthImport = defineTool({
  name: 'truth_import',
  title: 'Import truth from files',
  summary: 'Imports JSON Lines: an export, or payloads as submit_payload accepts them.',
  guide: { when: ['payloads exist as files'], example: { paths: ['invoices.jsonl'], dryRun: true } },
  effect: 'create',
  expose: ['cli'],
  bulk: true,
  input: z.strictObject({
    paths: z.array(z.string().min(1)).min(1).describe('Files'),
    dryRun: z.boolean().default(false).describe('Shows what would be imported and changes nothing'),
  }),
  output: z.object({ dryRun: z.boolean(), files: z.array(z.record(z.string(), z.unknown())) }),
  faults: ['INVALID_PARAMS', 'FILES_UNAVAILABLE'],
  guarantees: { consistency: 'strong', deterministic: true },
  readsWhen: ({ dryRun }) => dryRun,
  async run({ transfer }: Pick<Truth, 'transfer'>, { paths, dryRun }, call) {
    const files: Readonly<Record<string, unknown>>[] = [];
    for (const path of paths) files.push(await transfer.import(path, dryRun, call));
    return { dryRun, files };
  },
});
