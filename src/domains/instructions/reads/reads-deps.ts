import type { z } from 'zod';
import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import { faults } from '#kernel/fault/kernel-faults.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import type { RegexRunner } from '#kernel/workers/regex-runner.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { CatalogSemanticSearch } from '../catalog/semantic-search.ts';
import type { InstructionEntry } from '../entry-model.ts';
import type { RuleRecords } from '../serving/rule-records.ts';
import type { Serving } from '../serving/serving.ts';
import type { ManifestReport } from '../tools/integrity-manifest.ts';

export interface UsageCount {
  readonly usageCount: number;
  readonly lastUsedAt?: string | undefined;
}

type UsageCounts = ReadonlyMap<string, UsageCount>;

export interface ReadsDeps {
  readonly catalog: Catalog;
  readonly usage: {
    /** Omits instructions that were never used. */
    countsOf(call: Call, ids: readonly string[]): Promise<UsageCounts>;
    /** The same from memory; undefined when one of them is not cached. */
    knownCounts?(call: Call, ids: readonly string[]): UsageCounts | undefined;
  };
  readonly records: RuleRecords;
  /** Counts the rules of an answer. Never fails or waits. */
  readonly recordServed: Serving['record'];
  readonly regex?: RegexRunner;
  readonly embeddings?: CatalogSemanticSearch;
  /** Created on first use, like the keys. */
  readonly cursors: () => Cursors;
  readonly clock: Clock;
  readonly version: string;
  readonly protocolVersion: string;
  readonly permits: Permits;
  readonly meter: ToolMeter;
  /** All tools of the program; those called `instructions/…` are the actions. */
  readonly cards: readonly Pick<Card, 'name'>[];
  /** GOV_HASH_TRAILING_NEWLINE. */
  readonly govTrailingNewline: boolean;
  isUsageOn(): boolean;
  trace(category: string, fields: Readonly<Record<string, unknown>>): void;
  /** Increments a counter of `feature/status`. */
  count(counter: string): void;
  /** Why writes to the store fail now. */
  storeProblem?(): Promise<string | undefined>;
  diskUsage?(): Promise<{ readonly totalSize: number; readonly availableSpace: number }>;
  compareWithManifest(call: Call): Promise<ManifestReport>;
}

/** The state in a cursor. INVALID_PARAMS with this reason if the cursor belongs to another request. */
export function openCursor<State extends { readonly of: string }>(
  { cursors }: Pick<ReadsDeps, 'cursors'>,
  call: Call,
  schema: z.ZodType<State>,
  { tool, fingerprint, cursor, why }: Readonly<Record<'tool' | 'fingerprint' | 'cursor' | 'why', string>>,
): State {
  const state = schema.safeParse(cursors().open(tool, call.tenant, cursor));
  if (!state.success || state.data.of !== fingerprint) throw faults.INVALID_PARAMS({ why }, { field: 'cursor' });
  return state.data;
}

/** Counts are stored separately and added to answers, so that using a rule does not change its file. */
export function withUsage(entry: InstructionEntry, count: UsageCount | undefined): InstructionEntry {
  if (count === undefined) return entry;
  const { usageCount, lastUsedAt } = count;
  return lastUsedAt === undefined ? { ...entry, usageCount } : { ...entry, usageCount, lastUsedAt };
}

export async function addUsage(
  { usage }: Pick<ReadsDeps, 'usage'>,
  call: Call,
  entries: readonly InstructionEntry[],
): Promise<readonly InstructionEntry[]> {
  if (entries.length === 0) return entries;
  const counts = await usage.countsOf(
    call,
    entries.map(({ id }) => id),
  );
  return counts.size === 0 ? entries : entries.map((entry) => withUsage(entry, counts.get(entry.id)));
}
