import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { Truth } from '../../truth.ts';

export const truthRebuild = defineTool({
  name: 'truth_rebuild',
  title: 'Rebuild snapshots',
  summary: 'Reduces every entity again from its observations and reports which differed.',
  guide: { when: ['fourfold doctor reports wrong totals'], example: { check: true } },
  effect: 'update',
  expose: ['cli'],
  bulk: true,
  input: z.strictObject({
    check: z.boolean().default(false).describe('Only compares; exits with 1 when something differs'),
  }),
  output: z.object({
    /** False after a check that found a difference. */
    ok: z.boolean(),
    entities: z.int(),
    differing: z.int(),
    differing_ids: z.array(z.string()),
    observations: z.int(),
    missing: z.int(),
    misdirected_relationships: z.int(),
    differing_relationships: z.int(),
    wrong_totals: z.array(z.string()),
  }),
  faults: [],
  guarantees: { consistency: 'strong', deterministic: true },
  readsWhen: ({ check }) => check,
  async run({ transfer }: Pick<Truth, 'transfer'>, { check }, call) {
    const report = await transfer.rebuild(check, call);
    const { differing, missing, misdirected_relationships, differing_relationships, wrong_totals } = report;
    const wrong = differing + missing + misdirected_relationships + differing_relationships + wrong_totals.length;
    return { ok: !check || wrong === 0, ...report };
  },
});
