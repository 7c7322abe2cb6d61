import { sha256Hex } from '#kernel/hash/hash.ts';
import type { InstructionEntry, Tier } from '../model.ts';

/** What is governed of an entry. The key order is part of the hash (RULINGS R3). */
export interface Projection {
  readonly id: string;
  readonly title: string;
  readonly version: string;
  readonly owner: string;
  readonly priorityTier: Tier;
  readonly nextReviewDue: string;
  readonly semanticSummarySha256: string;
  readonly changeLogLength: number;
}

export type Governed = Pick<
  InstructionEntry,
  'id' | 'title' | 'version' | 'owner' | 'priorityTier' | 'nextReviewDue' | 'semanticSummary' | 'changeLog'
>;

export const projectionOf = (entry: Governed): Projection => ({
  id: entry.id,
  title: entry.title,
  version: entry.version,
  owner: entry.owner,
  priorityTier: entry.priorityTier,
  nextReviewDue: entry.nextReviewDue ?? '',
  semanticSummarySha256: sha256Hex(entry.semanticSummary),
  changeLogLength: entry.changeLog.length,
});

export const entryGovernanceHash = (entry: Governed): string => sha256Hex(JSON.stringify(projectionOf(entry)));

/** The document's six steps; entries come sorted by id. */
export function governanceHashOf(entries: readonly Governed[], trailingNewline: boolean): string {
  const lines = entries.map((entry) => JSON.stringify(projectionOf(entry))).join('\n');
  return sha256Hex(trailingNewline ? `${lines}\n` : lines);
}
