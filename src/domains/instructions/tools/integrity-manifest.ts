import { z } from 'zod';
import { listSome } from '#kernel/text/list-some.ts';
import { type DeepReadonly, defineTool } from '#kernel/tool/tool.ts';
import type { Instructions } from '../instructions.ts';

export const manifestReport = z.object({
  manifest: z.enum(['present', 'missing', 'invalid']),
  drift: z.int(),
  details: z.array(z.object({ id: z.string(), change: z.enum(['added', 'removed', 'hash-mismatch']) })),
  truncated: z.literal(true).optional(),
  problem: z.string().optional(),
});

export type ManifestReport = DeepReadonly<z.infer<typeof manifestReport>>;
export type Drift = ManifestReport['details'][number];

/** `missing` also fails without a snapshot. */
export function findDrift({ manifest, drift, details, problem }: ManifestReport, failOn: string): string | undefined {
  if (manifest === 'invalid') return problem ?? 'the snapshot is not valid';
  if (manifest === 'missing') {
    return failOn === 'missing' ? 'the snapshot is missing; fourfold instructions snapshot takes one' : undefined;
  }
  if (drift === 0) return undefined;
  const changes = details.map(({ id, change }) => `${id} (${change})`);
  return `changed since the snapshot: ${listSome(changes, drift)}`;
}

export const integrityManifest = defineTool({
  name: 'integrity/manifest',
  title: 'Compare with the snapshot',
  summary: 'Lists the entries that were added, removed or changed since the snapshot of the catalog.',
  guide: { when: ['you want to know what changed since a release of the catalog'], example: {} },
  effect: 'read',
  failOn: ['drift', 'missing'],
  findFailure: findDrift,
  input: z.strictObject({}),
  output: manifestReport,
  faults: [],
  run: ({ integrity }: Pick<Instructions, 'integrity'>, _input, call) => integrity.manifest(call),
});
