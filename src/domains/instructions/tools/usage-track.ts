import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { usageTrackInput, usageTrackOutput } from '../usage/usage-events.ts';

export const usageTrack = defineTool({
  name: 'usage/track',
  title: 'Note that an instruction was used',
  summary: 'Counts one use of an instruction, or several with events; ten a second of each instruction are counted.',
  guide: {
    when: ['you applied, cited or judged an instruction'],
    not: ['you only listed instructions'],
    example: { id: 'code-review-basics', action: 'applied', signal: 'helpful' },
  },
  effect: 'update',
  audit: 'none',
  input: usageTrackInput,
  output: usageTrackOutput,
  faults: [],
  run: ({ usage }: Pick<Instructions, 'usage'>, input, call) => usage.track(input, call),
});
