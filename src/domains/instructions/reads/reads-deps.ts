import type { Call } from '#kernel/call.ts';
import type { Clock } from '#kernel/clock/clock.ts';
import type { Cursors } from '#kernel/cursor/cursor.ts';
import type { Card } from '#kernel/tool/card.ts';
import type { Permits } from '#kernel/tool/gate.ts';
import type { ToolMeter } from '#kernel/tool/meter.ts';
import type { RegexRunner } from '#kernel/workers/regex-runner.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { EmbeddedSearch } from '../catalog/embedded-search.ts';

export interface UsageCount {
  readonly usageCount: number;
  readonly lastUsedAt?: string | undefined;
}

export type UsageCounts = ReadonlyMap<string, UsageCount>;

export interface DriftSnapshot {
  readonly items: readonly { readonly id: string; readonly sourceHash: string }[];
}

export interface ReadsDeps {
  readonly catalog: Catalog;
  readonly usage: {
    /** Those that were never used are left out. */
    countsOf(call: Call, ids: readonly string[]): Promise<UsageCounts>;
    /** The same from memory; undefined when they are not all known there. */
    knownCounts?(call: Call, ids: readonly string[]): UsageCounts | undefined;
  };
  readonly patterns?: RegexRunner;
  readonly embeddings?: EmbeddedSearch;
  /** Made at first use, as the keys are. */
  readonly cursors: () => Cursors;
  readonly clock: Clock;
  readonly version: string;
  readonly protocolVersion: string;
  readonly permits: Permits;
  readonly meter: ToolMeter;
  /** Every tool of the program: the actions are those called `instructions/…`. */
  readonly cards: readonly Pick<Card, 'name'>[];
  /** GOV_HASH_TRAILING_NEWLINE. */
  readonly govTrailingNewline: boolean;
  isUsageOn(): boolean;
  trace(category: string, fields: Readonly<Record<string, unknown>>): void;
  /** Adds one to a counter that `feature/status` shows. */
  count(counter: string): void;
  diskUsage?(): Promise<{ readonly totalSize: number; readonly availableSpace: number }>;
  /** `snapshots/canonical-instructions.json`. */
  readSnapshot(call: Call): Promise<DriftSnapshot | 'missing' | 'invalid'>;
}
