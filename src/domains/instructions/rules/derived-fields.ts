import { createHash } from 'node:crypto';
import { sha256Hex } from '#kernel/hash/hash.ts';
import { canonicalBody } from '#kernel/text/normalise.ts';
import type { InstructionEntry, Requirement, Tier } from '../entry-model.ts';
import { instructionLimits } from '../instruction-limits.ts';

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

/** Incremental, so that a large catalog can be hashed in batches. */
export function startGovernanceHash(trailingNewline: boolean) {
  const hash = createHash('sha256');
  let isBegun = false;
  return {
    /** In the order of their ids. */
    add(lines: readonly string[]) {
      if (lines.length === 0) return;
      hash.update(`${isBegun ? '\n' : ''}${lines.join('\n')}`);
      isBegun = true;
    },
    digest: () => hash.update(trailingNewline ? '\n' : '').digest('hex'),
  };
}

/** The body as it is stored and hashed. MCP_CANONICAL_DISABLE leaves it as it is. */
export const canonicalise = (body: string, isOff: boolean): string => (isOff ? body : canonicalBody(body));

export const sourceHashOf = (canonical: string): string => sha256Hex(canonical);

const isBinding = (requirement: Requirement): boolean => requirement === 'mandatory' || requirement === 'critical';

export function tierOf(priority: number, requirement: Requirement): Tier {
  if (priority <= 20 || isBinding(requirement)) return 'P1';
  if (priority <= 40) return 'P2';
  return priority <= 70 ? 'P3' : 'P4';
}

const reviewDays: Readonly<Record<Tier, number>> = { P1: 30, P2: 60, P3: 90, P4: 120 };

export const reviewDaysOf = (tier: Tier): number => reviewDays[tier];

const requirementRisk: Readonly<Record<Requirement, number>> = {
  mandatory: 50,
  critical: 60,
  recommended: 20,
  optional: 5,
  deprecated: -30,
};

export const riskOf = (priority: number, requirement: Requirement): number =>
  100 - priority + requirementRisk[requirement];

const maxChars = instructionLimits.derivedSummaryChars;

/** The first line with text, never cut inside a surrogate pair. */
export function summaryOf(body: string): string {
  const start = body.search(/\S/);
  if (start === -1) return '';
  const line = (/^[^\n\r\u2028\u2029]*/.exec(body.slice(start))?.[0] ?? '').trimEnd();
  const cut = line.slice(0, maxChars);
  return (/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd();
}
