import { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import { yieldToEventLoop } from '#kernel/clock/yield-to-event-loop.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { runInBatches } from '../catalog/time-slices.ts';
import { parseConfig, type ReadConfigFile } from '../config-files.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { canonicalise, sourceHashOf } from '../rules/derived-fields.ts';
import type { Drift, ManifestReport } from '../tools/integrity-manifest.ts';
import type { IntegrityIssue, IntegrityReport } from '../tools/integrity-verify.ts';

export const manifestFileName = 'snapshots/canonical-instructions.json';

const manifest = z.looseObject({ items: z.array(z.looseObject({ id: z.string(), sourceHash: z.string() })) });

export type ManifestItem = Pick<InstructionEntry, 'id' | 'sourceHash'>;

/** Undefined when it is not a manifest, or an id occurs twice. */
function parseManifest(json: unknown): readonly ManifestItem[] | undefined {
  const parsed = manifest.safeParse(json);
  if (!parsed.success) return undefined;
  const { items } = parsed.data;
  return new Set(items.map(({ id }) => id)).size === items.length ? items : undefined;
}

/** The snapshot that drift is measured against. One line per entry, so that a diff is readable. */
export function toManifestText(entries: readonly ManifestItem[]): string {
  const lines = entries.map(({ id, sourceHash }) => `    ${JSON.stringify({ id, sourceHash })}`);
  return `{\n  "items": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`;
}

export async function findDrift(
  entries: readonly ManifestItem[],
  items: readonly ManifestItem[],
  signal: AbortSignal,
): Promise<readonly Drift[]> {
  const expected = new Map<string, string>();
  const drift: Drift[] = [];
  await runInBatches(items, signal, (part) => {
    for (const { id, sourceHash } of part) expected.set(id, sourceHash);
  });
  await runInBatches(entries, signal, (part) => {
    for (const { id, sourceHash } of part) {
      const known = expected.get(id);
      expected.delete(id);
      if (known === undefined) drift.push({ id, change: 'added' });
      else if (known !== sourceHash) drift.push({ id, change: 'hash-mismatch' });
    }
  });
  for (const id of expected.keys()) drift.push({ id, change: 'removed' });
  return drift.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export const integrityLimits = {
  /** Issues or details per answer; the count is always complete. */
  reportedCount: 1_000,
  /** Characters hashed before yielding to the event loop: a few milliseconds. */
  turnChars: 1_000_000,
  entryChars: 500,
} as const;

export type Integrity = ReturnType<typeof createIntegrity>;

export interface IntegrityDeps {
  readonly catalog: Pick<Catalog, 'state'>;
  readonly readConfigFile: ReadConfigFile;
  /** MCP_CANONICAL_DISABLE. */
  readonly canonicalOff: boolean;
}

const limitReport = <T>(
  all: readonly T[],
): { readonly reported: readonly T[]; readonly flag: { readonly truncated?: true } } =>
  all.length <= integrityLimits.reportedCount
    ? { reported: all, flag: {} }
    : { reported: all.slice(0, integrityLimits.reportedCount), flag: { truncated: true } };

/** Checks the stored hashes, and compares the catalog with its snapshot. */
export function createIntegrity({ catalog, readConfigFile, canonicalOff }: IntegrityDeps) {
  function findIssue({ id, body, sourceHash }: InstructionEntry, recordedHash = sourceHash): readonly IntegrityIssue[] {
    const actual = sourceHashOf(canonicalise(body, canonicalOff));
    return actual === recordedHash ? [] : [{ id, expected: recordedHash, actual }];
  }

  async function readManifest(call: Call): Promise<readonly ManifestItem[] | 'missing' | { readonly problem: string }> {
    try {
      const text = await readConfigFile(manifestFileName, call);
      if (text === undefined) return 'missing';
      return (
        parseManifest(parseConfig(manifestFileName, text)) ?? {
          problem: `${manifestFileName} must be {"items":[{"id","sourceHash"}]} with unique ids`,
        }
      );
    } catch (error) {
      if (error instanceof Fault && error.code === faults.VALIDATION_ERROR.kind.code) return { problem: error.message };
      throw error;
    }
  }

  return {
    async verify(call: Call): Promise<IntegrityReport> {
      const state = await catalog.state(call);
      const { entries, hash, count } = state;
      const issues: IntegrityIssue[] = [];
      let chars = 0;
      for (const entry of entries) {
        issues.push(...findIssue(entry, state.find(entry.id)?.recordedHash));
        chars += entry.body.length + integrityLimits.entryChars;
        if (chars > integrityLimits.turnChars) {
          chars = 0;
          await yieldToEventLoop(call.signal);
        }
      }
      const { reported, flag } = limitReport(issues);
      return { hash, count, issues: reported, issueCount: issues.length, ...flag };
    },

    async manifest(call: Call): Promise<ManifestReport> {
      const items = await readManifest(call);
      if (items === 'missing') return { manifest: 'missing', drift: 0, details: [] };
      if ('problem' in items) return { manifest: 'invalid', drift: 0, details: [], problem: items.problem };
      const { entries } = await catalog.state(call);
      const drift = await findDrift(entries, items, call.signal);
      const { reported, flag } = limitReport(drift);
      return { manifest: 'present', drift: drift.length, details: reported, ...flag };
    },
  };
}
