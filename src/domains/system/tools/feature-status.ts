import { z } from 'zod';
import { defineTool } from '#kernel/tool/tool.ts';
import type { System } from '../system.ts';

export const featureSnapshot = z.object({
  features: z.array(z.string()),
  counters: z.record(z.string(), z.number()),
  env: z.array(z.string()),
});

export const featureStatus = defineTool({
  name: 'feature/status',
  title: 'Feature flags',
  summary: 'Lists the active feature flags, those set by INDEX_FEATURES, and their counters.',
  guide: { when: ['a client decides which parts of its interface to show'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: featureSnapshot,
  faults: [],
  run: (system: System) => system.featureStatus(),
});
