import { z } from 'zod';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

const outputSchema = z.object({
  manifest: z.enum(['present', 'missing', 'invalid']),
  drift: z.int(),
  details: z.array(z.object({ id: z.string(), change: z.enum(['added', 'removed', 'hash-mismatch']) })),
  truncated: z.literal(true).optional(),
  problem: z.string().optional(),
});

export type ManifestReport = DeepReadonly<z.infer<typeof outputSchema>>;
export type Drift = ManifestReport['details'][number];

export const integrityManifest = defineTool({
  name: 'integrity/manifest',
  title: 'Compare with the snapshot',
  summary: 'Lists the entries that were added, removed or changed since the snapshot of the catalog.',
  guide: { when: ['you want to know what changed since a release of the catalog'], example: {} },
  effect: 'read',
  input: z.strictObject({}),
  output: outputSchema,
  faults: [],
  run: ({ integrity }: Pick<Instructions, 'integrity'>, _input, call) => integrity.manifest(call),
});
