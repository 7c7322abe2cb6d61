import { z } from 'zod';
import { faults } from '#kernel/fault/kernel-faults.ts';
import { askThrough } from '#kernel/tool/invoke.ts';
import { defineTool } from '#kernel/tool/tool.ts';
import { notebookFaults } from '../../notebook-faults.ts';
import { notebookLimits } from '../../notebook-limits.ts';
import { scratchId } from '../../notebook-model.ts';
import { askWhole } from '../ask-pads.ts';
import { renderPad } from '../export-pads.ts';

export const scratchExport = defineTool({
  name: 'scratch_export',
  title: 'Export a scratchpad as text',
  summary: 'Returns a scratchpad as the text of a Markdown file or a Jupyter notebook.',
  guide: {
    when: ['a person wants to save a scratchpad as a file'],
    not: ['you need its content: scratch_read'],
    example: { scratch_id: 'plan', format: 'md' },
  },
  effect: 'read',
  answer: 'whole',
  input: z.strictObject({ scratch_id: scratchId, format: z.enum(['md', 'ipynb']).default('md') }),
  output: z.object({
    ok: z.literal(true),
    scratch_id: z.string(),
    revision: z.int(),
    file_name: z.string(),
    text: z.string(),
  }),
  faults: ['NOT_FOUND', 'INVALID_ID', 'CONFLICT', 'CAPACITY_LIMIT_REACHED', 'CONFIG_ERROR'],
  async run(_notebooks: unknown, { scratch_id, format }, call) {
    const pad = await askWhole(askThrough(call), scratch_id);
    if (pad === undefined) {
      const fix = 'Call scratch_export again when nobody writes to it; scratch_history shows who does.';
      throw faults.CONFLICT(
        { why: `The scratchpad ${scratch_id} kept changing while it was read` },
        { scratch_id, fix },
      );
    }
    const text = renderPad(pad, format);
    const { exportJsonBytes: limit } = notebookLimits;
    if (Buffer.byteLength(JSON.stringify(text)) > limit) {
      throw notebookFaults.CAPACITY_LIMIT_REACHED(
        { why: `The file would have more than ${limit} bytes as JSON` },
        {
          limit,
          fix: `Run fourfold notebooks export --ids ${scratch_id} --to <folder>, which writes files of any size.`,
        },
      );
    }
    return { ok: true as const, scratch_id, revision: pad.revision, file_name: `${scratch_id}.${format}`, text };
  },
});
