import { defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';
import { usageTrackInput, usageTrackOutput } from '../usage/usage-events.ts';

export const usageTrack = defineTool({
  name: 'usage/track',
  title: 'Track the use of an instruction',
  summary: 'Counts one use of an instruction, or several with events. Counts at most ten per second and instruction.',
  guide: {
    when: ['you applied, cited or rated an instruction'],
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
