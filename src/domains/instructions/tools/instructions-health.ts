import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  status: z.enum(['healthy', 'degraded', 'unhealthy']),
  version: z.string(),
  uptime: z.number().describe('Seconds'),
  catalogStats: z.object({
    totalInstructions: z.int(),
    totalCategories: z.int(),
    lastModified: z.string().nullable(),
    integrityHash: z.string(),
  }),
  performance: z.object({
    avgResponseTime: z.number().describe('Milliseconds'),
    requestCount: z.int(),
    errorRate: z.number(),
  }),
  diskUsage: z.object({ totalSize: z.number(), availableSpace: z.number() }),
  drift: z.object({
    snapshot: z.enum(['present', 'missing', 'invalid']),
    count: z.int(),
    details: z.array(z.object({ id: z.string(), change: z.enum(['added', 'removed', 'hash-mismatch']) })),
  }),
  overdueReviews: z.int().describe('instructions/query with reviewOverdue lists them'),
  reasons: z.array(z.string()),
});

export type Health = DeepReadonly<z.infer<typeof outputSchema>>;

export const instructionsHealth = defineTool({
  name: 'instructions/health',
  title: 'Check catalog health',
  summary: 'Reports size, integrity, response times, disk usage and drift from the snapshot.',
  guide: { when: ['you monitor the server or the catalog looks wrong'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: outputSchema,
  faults: [],
  run: ({ reads }: Pick<Instructions, 'reads'>, _input, call) => reads.health(call),
});
