import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';
import { featureSnapshot } from './feature-status.ts';

export const metricsSnapshot = defineTool({
  name: 'metrics/snapshot',
  title: 'Call metrics',
  summary: 'Returns call counts and durations of every method since the process started.',
  guide: { when: ['you want to see which tools are called and how long they take'], example: {} },
  effect: 'read',
  stable: false,
  input: z.strictObject({}),
  output: z.object({
    generatedAt: z.string(),
    methods: z.array(
      z.object({
        method: z.string(),
        count: z.int(),
        errors: z.int(),
        avgMs: z.number(),
        maxMs: z.number(),
      }),
    ),
    features: featureSnapshot,
  }),
  faults: [],
  run: (system: System) => system.metrics(),
});
