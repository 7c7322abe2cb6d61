import type { Call } from '#kernel/call.ts';
import { yieldToEventLoop } from '#kernel/clock/yield-to-event-loop.ts';
import { Fault } from '#kernel/fault/fault.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { InstructionEntry } from '../entry-model.ts';
import { parseConfig, type ReadConfigFile } from '../gates/config-files.ts';
import { canonicalise, sourceHashOf } from '../rules/canonical.ts';
import { type Drift, findDrift, type ManifestItem, manifestFileName, parseManifest } from './manifest.ts';

export const integrityLimits = {
  /** Issues or details in one answer; their number is told in full. */
  toldCount: 1_000,
  /** Characters hashed before others get their turn: a few milliseconds. */
  turnChars: 1_000_000,
  /** What an entry costs beside its characters, in characters. */
  entryChars: 500,
} as const;

export interface IntegrityIssue {
  readonly id: string;
  /** What is stored. */
  readonly expected: string;
  /** What the body has. */
  readonly actual: string;
}

export interface IntegrityReport {
  readonly hash: string;
  readonly count: number;
  readonly issues: readonly IntegrityIssue[];
  readonly issueCount: number;
  readonly truncated?: true;
}

export interface ManifestReport {
  readonly manifest: 'present' | 'missing' | 'invalid';
  readonly drift: number;
  readonly details: readonly Drift[];
  readonly truncated?: true;
  /** What is wrong with a manifest that is not valid. */
  readonly problem?: string;
}

/** Whether the catalog is what it says it is, and what it was when its snapshot was taken. */
export interface Integrity {
  verify(call: Call): Promise<IntegrityReport>;
  manifest(call: Call): Promise<ManifestReport>;
}

export interface IntegrityDeps {
  readonly catalog: Pick<Catalog, 'state'>;
  readonly readConfigFile: ReadConfigFile;
  /** MCP_CANONICAL_DISABLE. */
  readonly canonicalOff: boolean;
}

const cut = <T>(all: readonly T[]): { readonly told: readonly T[]; readonly flag: { readonly truncated?: true } } =>
  all.length <= integrityLimits.toldCount
    ? { told: all, flag: {} }
    : { told: all.slice(0, integrityLimits.toldCount), flag: { truncated: true } };

export function createIntegrity({ catalog, readConfigFile, canonicalOff }: IntegrityDeps): Integrity {
  function findIssue({ id, body, sourceHash }: InstructionEntry): readonly IntegrityIssue[] {
    const actual = sourceHashOf(canonicalise(body, canonicalOff));
    return actual === sourceHash ? [] : [{ id, expected: sourceHash, actual }];
  }

  /** The items, or why there are none. */
  async function readManifest(call: Call): Promise<readonly ManifestItem[] | 'missing' | { readonly problem: string }> {
    try {
      const text = await readConfigFile(manifestFileName, call);
      if (text === undefined) return 'missing';
      return (
        parseManifest(parseConfig(manifestFileName, text)) ?? {
          problem: `${manifestFileName} is not of the form {"items":[{"id","sourceHash"}]} with each id once`,
        }
      );
    } catch (error) {
      if (error instanceof Fault && error.code === faults.VALIDATION_ERROR.kind.code) return { problem: error.message };
      throw error;
    }
  }

  return {
    async verify(call) {
      const { entries, hash, count } = await catalog.state(call);
      const issues: IntegrityIssue[] = [];
      let chars = 0;
      for (const entry of entries) {
        issues.push(...findIssue(entry));
        chars += entry.body.length + integrityLimits.entryChars;
        if (chars > integrityLimits.turnChars) {
          chars = 0;
          await yieldToEventLoop(call.signal);
        }
      }
      const { told, flag } = cut(issues);
      return { hash, count, issues: told, issueCount: issues.length, ...flag };
    },

    async manifest(call) {
      const items = await readManifest(call);
      if (items === 'missing') return { manifest: 'missing', drift: 0, details: [] };
      if ('problem' in items) return { manifest: 'invalid', drift: 0, details: [], problem: items.problem };
      const { entries } = await catalog.state(call);
      const drift = findDrift(entries, items);
      const { told, flag } = cut(drift);
      return { manifest: 'present', drift: drift.length, details: told, ...flag };
    },
  };
}
