import { createHash } from 'node:crypto';
import { sha256Hex } from '#kernel/hash/hash.ts';
import type { InstructionEntry, Tier } from '../entry-model.ts';

/** The governed fields of an entry. The key order is part of the hash. */
export interface GovernanceProjection {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly owner: string;
  readonly priorityTier: Tier;
  readonly nextReviewDue: string;
  readonly semanticSummarySha256: string;
  readonly changeLogLength: number;
}

export type GovernedFields = Pick<
  InstructionEntry,
  'id' | 'title' | 'version' | 'owner' | 'priorityTier' | 'nextReviewDue' | 'semanticSummary' | 'changeLog'
>;

export const projectionOf = (entry: GovernedFields): GovernanceProjection => ({
  id: entry.id,
  title: entry.title,
  version: entry.version,
  owner: entry.owner,
  priorityTier: entry.priorityTier,
  nextReviewDue: entry.nextReviewDue ?? '',
  semanticSummarySha256: sha256Hex(entry.semanticSummary),
  changeLogLength: entry.changeLog.length,
});

export const governanceLineOf = (entry: GovernedFields): string => JSON.stringify(projectionOf(entry));

export const entryGovernanceHash = (entry: GovernedFields): string => sha256Hex(governanceLineOf(entry));

export interface GovernanceHash {
  /** In the order of their ids. */
  add(lines: readonly string[]): void;
  digest(): string;
}

/** Incremental, so that a large catalog can be hashed in batches. */
export function startGovernanceHash(trailingNewline: boolean): GovernanceHash {
  const hash = createHash('sha256');
  let isBegun = false;
  return {
    add(lines) {
      if (lines.length === 0) return;
      hash.update(`${isBegun ? '\n' : ''}${lines.join('\n')}`);
      isBegun = true;
    },
    digest: () => hash.update(trailingNewline ? '\n' : '').digest('hex'),
  };
}
